// The stories of an engineer and a lecturer, with the models of docs/tutorials/engineers_day.md. With SCREENSHOTS=folder pictures are left there.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open } from "./browser.mjs";
import { root, run, scratch, view } from "./runs.mjs";

let folder, browser;
const files = {};

before(async () => {
  folder = scratch();
  const page = readFileSync(join(root, "docs/tutorials/engineers_day.md"), "utf8");
  for (const [, name, text] of page.matchAll(/`(\w+)\.yaml`:\n\n```yaml\n(.*?)```/gs)) {
    files[name] = join(folder.path, `${name}.yaml`);
    writeFileSync(files[name], text);
  }
  browser = await launch();
});
after(async () => {
  await browser?.close();
  folder?.remove();
});

const picture = async (page, name) => {
  if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, `${name}.png`) });
};

const channel = (page, name) => page.evaluate((which) => [...document.getElementById("trammel").trammel.runs[0].column(which)], name);

test("the engineer presses with a toggle clamp", async () => {
  const report = run(folder.path, files.clamp, "clamp");
  const { page, complaints, context } = await open(browser, `file://${report}#paused&theme=light&t=0.407`);
  const chips = await page.$$eval(".plot-list .chip", (list) => list.map((chip) => chip.textContent));
  for (const name of ["pivot.angle", "workpiece.load", "hand.load"]) assert.ok(chips.some((text) => text.startsWith(name)), `${name} in ${chips}`);
  // In kN, as the model asks: 1.5 mm of 2 kN/mm, and between two rows at most 0.1 um less.
  const most = Math.max(...(await channel(page, "workpiece.load")).map(Math.abs));
  assert.ok(Math.abs(most - 3) < 1e-3, String(most));
  await picture(page, "clamp");
  await page.click("#tab-Run");
  // Three equations of motion, three rows, one load; nothing but formulas in them.
  assert.equal(await page.locator(".equation").count(), 7);
  assert.match(await page.textContent(".legend"), /q1 = pivot.angle \[rad\], q2 = knee.angle \[rad\]/);
  assert.match(await page.textContent(".equation >> nth=3"), /cos.*q1.*cos.*q1.*q2.*q3.*=.*0/s);
  const wide = await page.evaluate(() => document.querySelector(".equation math msub").getBoundingClientRect().width);
  assert.ok(wide > 5, "they are drawn");
  await page.locator(".equation").first().scrollIntoViewIfNeeded();
  await picture(page, "clamp_equations");
  assert.deepEqual(complaints, []);
  await context.close();
});

test("equations stay within a phone and on paper", async () => {
  const report = run(folder.path, files.clamp, "paper", "--no-estimate");
  const phone = await open(browser, `file://${report}#paused&theme=light`, { width: 390, height: 800 });
  await phone.page.click("#tab-Run");
  await phone.page.locator(".equation").first().scrollIntoViewIfNeeded();
  const room = await phone.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth, document.querySelector(".equation").getBoundingClientRect().right]);
  assert.ok(room[0] <= room[1] && room[2] <= room[1] + 0.5, String(room));
  await picture(phone.page, "phone_equations");
  await phone.context.close();
  const sheet = await open(browser, `file://${report}#paused&theme=dark`, { width: 1000, height: 800 });
  const bytes = await sheet.page.pdf({ preferCSSPageSize: true });
  assert.equal(bytes.subarray(0, 4).toString(), "%PDF");
  if (process.env.SCREENSHOTS) writeFileSync(join(process.env.SCREENSHOTS, "clamp.pdf"), bytes);
  await sheet.page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  assert.ok(await sheet.page.locator(".equation").first().isVisible());
  const beyond = await sheet.page.evaluate(() => {
    const edge = document.querySelector(".paper").getBoundingClientRect().right;
    return [...document.querySelectorAll(".paper .equation math")].filter((part) => part.getBoundingClientRect().right > edge + 1).length;
  });
  assert.equal(beyond, 0, "long equations are broken into lines");
  await sheet.context.close();
});

test("the engineer lifts with a cylinder, from rest", async () => {
  const report = run(folder.path, files.lift, "lift");
  const { page, complaints, context } = await open(browser, `file://${report}#paused&theme=light&t=2`);
  assert.equal(await page.evaluate(() => document.getElementById("trammel").trammel.stage.main.links.legs), 1, "the cylinder is drawn");
  const force = await channel(page, "cylinder.load");
  // F ds/da = (500 + 40) kg g 1.6 m cos a at 20 deg, by hand 10.1196 kN; the oil gives way by some 10 um.
  assert.ok(Math.abs(force[0] - 10.1196) < 0.002, String(force[0]));
  // Nothing moves before the valve opens at 0.5 s.
  const height = await channel(page, "height");
  const time = await page.evaluate(() => [...document.getElementById("trammel").trammel.runs[0].time]);
  const still = height.filter((_, i) => time[i] < 0.5);
  assert.ok(Math.max(...still) - Math.min(...still) < 1e-3, "in mm");
  assert.ok(Math.max(...height) - height[0] > 100);
  await picture(page, "lift");
  assert.deepEqual(complaints, []);
  await context.close();
});

test("the lecturer lets the lift run, with another load", async () => {
  const server = await view(folder.path, "lift.yaml");
  try {
    const { page, complaints, context } = await open(browser, `${server.address}#theme=light`);
    await page.waitForSelector(".live");
    const state = async () => (await fetch(`${server.address}api/live`)).json();
    const names = (await state()).parameters.map(({ name }) => name);
    assert.deepEqual(names, ["arm", "low", "load"]);
    await fetch(`${server.address}api/live/set?name=load&value=800`, { method: "POST", headers: { "X-Trammel": "1" } });
    await page.waitForFunction(() => /800/.test(document.querySelector(".live").textContent));
    const begin = (await state()).time;
    await page.waitForTimeout(1000);
    assert.ok((await state()).time > begin, "it runs");
    await picture(page, "live");
    assert.deepEqual(complaints, []);
    await context.close();
  } finally {
    assert.equal(await server.stop(), 0);
  }
});

test("a notebook on this machine frames a running model, a page from elsewhere does not", async () => {
  const server = await view(folder.path, "lift.yaml");
  const text = `<!doctype html><title>notebook</title><iframe src="${server.address}" width="1000" height="560"></iframe>`;
  const notebook = createServer((_, answer) => answer.setHeader("Content-Type", "text/html").end(text)).listen(0, "127.0.0.1");
  await new Promise((done) => notebook.once("listening", done));
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(`http://localhost:${notebook.address().port}/`);
    await page.frameLocator("iframe").locator(".live").waitFor({ timeout: 60000 });
    await picture(page, "notebook");
    await page.goto(`data:text/html,${encodeURIComponent(text)}`);
    await page.waitForTimeout(500);
    assert.equal(await page.frameLocator("iframe").locator(".live").count(), 0);
  } finally {
    await context.close();
    notebook.close();
    assert.equal(await server.stop(), 0);
  }
});
