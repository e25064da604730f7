// The screenshots in the documentation show what a report looks like now. `./dev picture` takes them anew.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch } from "./browser.mjs";
import { pictures, take } from "./picture.mjs";
import { root, scratch } from "./runs.mjs";

let folder, browser;

before(async () => {
  folder = scratch();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  folder?.remove();
});

/** A PNG as 64 x 38 grey values. */
async function grey(image) {
  const page = await browser.newPage();
  const values = await page.evaluate(async (address) => {
    const picture = new Image();
    picture.src = address;
    await picture.decode();
    const pen = new OffscreenCanvas(64, 38).getContext("2d");
    pen.imageSmoothingQuality = "high";
    pen.drawImage(picture, 0, 0, 64, 38);
    const { data } = pen.getImageData(0, 0, 64, 38);
    return Array.from({ length: 64 * 38 }, (_, i) => (data[4 * i] + data[4 * i + 1] + data[4 * i + 2]) / 3);
  }, `data:image/png;base64,${image.toString("base64")}`);
  await page.close();
  return values;
}

for (const picture of pictures) {
  test(`${picture.file} is up to date`, async () => {
    const path = join(root, "docs/pictures", picture.file);
    const taken = await take(browser, folder.path, picture);
    if (process.env.TRAMMEL_REGENERATE) writeFileSync(path, taken);
    const [now, stored] = [await grey(taken), await grey(readFileSync(path))];
    const mean = now.reduce((sum, value, i) => sum + Math.abs(value - stored[i]), 0) / now.length;
    // Other fonts or a shifted line change a few blocks of 20 x 20 pixels; another layout or mechanism changes many.
    assert.ok(mean < 4, `${picture.file} differs by ${mean.toFixed(2)} of 255 on average; if that is meant: ./dev picture`);
  });
}
