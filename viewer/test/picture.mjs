// The screenshots of the documentation: real reports of real runs.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { open } from "./browser.mjs";
import { example, root, run, trammel } from "./runs.mjs";

/** The report at the end of a tutorial that is followed to the letter. */
function tutorial(folder, page, report) {
  const words = [join(root, "tools/follow_tutorial"), join(root, "docs/tutorials", page), trammel, "--keep", folder];
  execFileSync("/usr/bin/python3", words);
  return join(folder, report);
}

/** File in docs/pictures, how its report is made, and what it shows. */
export const pictures = [
  {
    file: "report.png",
    report: (folder) => run(folder, example("bricard"), "bricard"),
    settings: "t=1.2&theme=light&show=axes,reactions",
  },
  {
    file: "pump_jack.png",
    report: (folder) => tutorial(join(folder, "pump"), "ten_minutes.md", "balanced.html"),
    settings: "t=0.6&theme=light",
  },
];

/** PNG of a report. */
export async function take(browser, folder, picture) {
  const address = `file://${picture.report(folder)}#paused&${picture.settings}`;
  const { page, context } = await open(browser, address, { width: 1280, height: 760 });
  await page.evaluate(() => document.fonts.ready);
  await page.waitForTimeout(500);
  const image = await page.screenshot();
  await context.close();
  return image;
}
