// trammel view model.yaml: the lecturer's hour. Sliders, pause, step, restart on save, a body that is dragged.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open } from "./browser.mjs";
import { root, scratch, view } from "./runs.mjs";

const pendulum = `trammel: 1
name: pendulum
space: planar
gravity: [0, -9.81]
parameters:
  length: 1 m
  half: length/2
  damping: 0.1 N m s/rad
bodies:
  rod: {shape: {rod: {length: length, mass: 1 kg}}, position: [half, 0], frames: {end: [-half, 0], tip: [half, 0]}}
joints:
  pin: {type: revolute, between: [ground, rod.end]}
forces:
  brake: {type: actuator, coordinate: pin.angle, formula: -damping*pin.angle_rate}
report: {units: [deg], plots: [pin.angle]}
simulation: {until: 1 s, step: 2 ms}
`;

let folder, browser;

before(async () => {
  folder = scratch();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  folder?.remove();
});

async function with_model(body) {
  const file = join(folder.path, "pendulum.yaml");
  writeFileSync(file, pendulum);
  const server = await view(folder.path, "pendulum.yaml");
  try {
    const { page, complaints, context } = await open(browser, `${server.address}#theme=light`);
    await page.waitForSelector(".live");
    const state = async () => (await fetch(`${server.address}api/live`)).json();
    await body({ page, state, file, server });
    assert.deepEqual(complaints, []);
    await context.close();
  } finally {
    assert.equal(await server.stop(), 0);
  }
}

const settle = (ms) => new Promise((done) => setTimeout(done, ms));
const until = async (test, what) => {
  for (let i = 0; i < 100; ++i) {
    if (await test()) return;
    await settle(50);
  }
  assert.fail(what);
};

test("runs, pauses, steps and starts again", () =>
  with_model(async ({ page, state }) => {
    const first = (await state()).time;
    await until(async () => (await state()).time > first + 0.2, "it goes on");
    await page.click('.live button[title="Pause"]');
    await until(async () => !(await state()).playing, "it is paused");
    const at = (await state()).time;
    await page.click('.live button[aria-label="One step"]');
    await until(async () => Math.abs((await state()).time - at - 0.002) < 1e-9, "one step of 2 ms");
    await page.click('.live button[aria-label="Restart"]');
    await until(async () => (await state()).time === 0, "back at the start");
    // Plots are in the units that the model asks for.
    assert.match(await page.textContent(".plots"), /pin\.angle/);
    const unit = await page.evaluate(() => document.getElementById("trammel").trammel.runs[0].channel("pin.angle").unit);
    assert.equal(unit, "deg");
  }));

test("has a slider for each parameter that is a number, and keeps the motion", () =>
  with_model(async ({ page, state }) => {
    const sliders = await page.$$eval(".slider input", (inputs) => inputs.map((input) => input.getAttribute("aria-label")));
    assert.deepEqual(sliders, ["length", "damping"]);
    await until(async () => (await state()).time > 0.3, "it goes on");
    const before_change = await state();
    await page.evaluate(() => {
      const input = document.querySelector('.slider input[aria-label="length"]');
      input.value = "100"; // a quarter of the way to twice the length
      input.dispatchEvent(new Event("input"));
      input.dispatchEvent(new Event("change"));
    });
    await until(async () => (await state()).parameters.find(({ name }) => name === "length").value === 0.5, "the parameter has changed");
    const after_change = await state();
    assert.ok(after_change.time >= before_change.time, "it goes on from where it was");
    assert.equal(after_change.trouble, "");
    // The drawing follows: the rod is half as long.
    await page.waitForFunction(() => Math.abs(document.getElementById("trammel").trammel.runs[0].scene.bodies[0].frames[1].position[0] - 0.25) < 1e-9);
  }));

test("starts again when the file is saved, and tells mistakes in it", () =>
  with_model(async ({ page, state, file }) => {
    await until(async () => (await state()).time > 0.3, "it goes on");
    const { generation } = await state();
    writeFileSync(file, pendulum.replace("mass: 1 kg", "mass: -1 kg"));
    await until(async () => (await state()).trouble !== "", "the mistake is told");
    await page.waitForSelector(".live .trouble:not([hidden])");
    assert.match(await page.textContent(".live .trouble"), /mass/);
    assert.equal((await state()).generation, generation, "the last good model goes on");
    writeFileSync(file, pendulum.replace("mass: 1 kg", "mass: 2 kg"));
    await until(async () => (await state()).generation > generation, "it was read again");
    assert.equal((await state()).trouble, "");
    assert.ok((await state()).time < 0.3, "from the start");
    assert.match(readFileSync(file, "utf8"), /2 kg/);
  }));

test("lets a body be pulled", () =>
  with_model(async ({ page, state }) => {
    await page.click('.live button[title="Pause"]');
    await page.click('.live button[aria-label="Restart"]');
    await until(async () => !(await state()).playing && (await state()).time === 0, "at the start, at rest");
    // The page has heard of it, and drawn it.
    await page.waitForFunction(() => document.getElementById("trammel").trammel.runs[0].column("pin.angle").length === 1);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    // The rod lies to the right of the pin; take it in its middle and pull it up.
    const box = await page.locator("canvas.drawing").boundingBox();
    const at = await page.evaluate(() => {
      const { stage } = document.getElementById("trammel").trammel;
      const point = stage.body_center(0).project(stage.camera.active);
      return [(point.x + 1) / 2, (1 - point.y) / 2];
    });
    const [x, y] = [box.x + at[0] * box.width, box.y + at[1] * box.height];
    await page.keyboard.down("Shift");
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 10, y - 80, { steps: 5 });
    await page.keyboard.up("Shift");
    const angle = () => page.evaluate(() => document.getElementById("trammel").trammel.runs[0].column("pin.angle").at(-1));
    // The pointer is held: the command goes past the buttons.
    await page.evaluate(() => fetch("api/live/play", { method: "POST", headers: { "X-Trammel": "1" } }));
    await until(async () => (await angle()) > 5, "against gravity, by more than 5 degrees");
    await page.mouse.up();
    await until(async () => (await angle()) < 0, "and it falls when it is let go");
  }));

test("takes commands from its own page only", () =>
  with_model(async ({ server }) => {
    assert.equal((await fetch(`${server.address}api/live/pause`, { method: "POST" })).status, 405);
    assert.equal((await fetch(`${server.address}api/live/pause`)).status, 404);
    const wrong = await fetch(`${server.address}api/live/set?name=mass&value=1`, { method: "POST", headers: { "X-Trammel": "1" } });
    assert.equal(wrong.status, 400);
    assert.match(await wrong.text(), /no such parameter/);
  }));

test("the notices of three.js and uPlot travel with the page", async () => {
  const bundle = readFileSync(join(root, "viewer/dist/viewer.js"), "utf8");
  for (const words of ["three.js authors", "Leon Sorokin", "Permission is hereby granted"]) assert.ok(bundle.includes(words), words);
  const all = readFileSync(join(root, "THIRD_PARTY_LICENCES.txt"), "utf8");
  for (const name of ["three", "uplot"]) assert.ok(all.includes(readFileSync(join(root, `viewer/node_modules/${name}/LICENSE`), "utf8").trim()), name);
});
