// The built site in a real browser, from disk: formulas, light and dark, search. SITE names its folder.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch } from "./browser.mjs";

const site = `file://${process.env.SITE}`;
let browser;

before(async () => {
  browser = await launch();
});
after(async () => {
  await browser?.close();
});

/** A page of the site, and what its console complains about. */
async function visit(path, scheme = "light") {
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 }, colorScheme: scheme });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(`${site}/${path}`);
  return { page, complaints, context };
}

test("a page of the gallery has its formula, picture and model", async () => {
  const { page, complaints, context } = await visit("gallery/slider_crank.html");
  assert.equal(await page.locator(".katex-display").count(), 1);
  assert.equal(await page.locator(".katex-error").count(), 0);
  assert.ok(await page.evaluate(() => [...document.images].every((image) => image.complete && image.naturalWidth > 0)));
  assert.match(await page.textContent("article"), /trammel: 1/);
  assert.deepEqual(complaints, []);
  await context.close();
});

test("follows the system's colours, and the button changes them", async () => {
  const { page, complaints, context } = await visit("index.html", "dark");
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number)[0]);
  assert.ok((await paper()) < 60);
  await page.locator(".theme-toggle").first().evaluate((button) => button.click());
  assert.ok((await paper()) > 200);
  assert.deepEqual(complaints, []);
  await context.close();
});

test("the search finds a joint", async () => {
  const { page, context } = await visit("search.html?q=universal");
  await page.waitForSelector("#search-results li a");
  const found = await page.locator("#search-results li a").allTextContents();
  assert.ok(found.some((title) => /Universal joint/.test(title)), found.join("; "));
  await context.close();
});
