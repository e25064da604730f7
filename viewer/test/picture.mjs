// Takes the picture of the documentation: node test/picture.mjs OUTPUT.png [EXAMPLE] [SETTINGS]
import { writeFileSync } from "node:fs";
import { launch, open } from "./browser.mjs";
import { example, run, scratch } from "./runs.mjs";

const [output, name = "bricard", settings = "t=1.2&theme=light&show=axes,reactions"] = process.argv.slice(2);
const folder = scratch();
const browser = await launch();
try {
  const report = run(folder.path, example(name), name);
  const { page } = await open(browser, `file://${report}#paused&${settings}`, { width: 1280, height: 760 });
  await page.evaluate(() => document.fonts.ready);
  await page.waitForTimeout(500);
  writeFileSync(output, await page.screenshot());
} finally {
  await browser.close();
  folder.remove();
}
