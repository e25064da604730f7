// The report in a real browser: it loads from disk, moves, plots, exports, and survives without WebGL.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open } from "./browser.mjs";
import { chain, example, run, scratch, trammel } from "./runs.mjs";

let folder, browser, report;

before(async () => {
  folder = scratch();
  report = run(folder.path, example("slider_crank"), "slider_crank");
  browser = await launch();
});
after(async () => {
  await browser?.close();
  folder?.remove();
});

const clock = async (page) => Number(await page.textContent(".clock .time"));

/** The drawing as 48 x 32 grey values, from 0 to 255. */
const thumbnail = (page) =>
  page.evaluate(async () => {
    const blob = await document.getElementById("trammel").trammel.stage.snapshot();
    const canvas = new OffscreenCanvas(48, 32);
    const pen = canvas.getContext("2d");
    // Means of blocks, so that thin lines count wherever they lie.
    pen.imageSmoothingQuality = "high";
    pen.drawImage(await createImageBitmap(blob), 0, 0, 48, 32);
    const { data } = pen.getImageData(0, 0, 48, 32);
    return Array.from({ length: 48 * 32 }, (_, i) => Math.round((data[4 * i] + data[4 * i + 1] + data[4 * i + 2]) / 3));
  });
const difference = (a, b) => a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0) / a.length;

test("opens from disk, with its first frame, and plays", async () => {
  const begin = Date.now();
  const { page, complaints, context } = await open(browser, `file://${report}#theme=light`);
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  const elapsed = Date.now() - begin;
  console.log(`first frame after ${elapsed} ms`);
  assert.ok(elapsed < 15000, "also on a busy machine");
  assert.equal(await page.textContent("h1"), "slider-crank");
  // It plays by itself; on a busy machine the first frames take their time.
  const first = await page.textContent(".clock .time");
  await page.waitForFunction((text) => document.querySelector(".clock .time").textContent !== text, first);
  await page.keyboard.press("Space");
  const paused = await clock(page);
  await page.waitForTimeout(300);
  assert.equal(await clock(page), paused);
  await page.keyboard.press("Home");
  assert.equal(await clock(page), 0);
  await page.keyboard.press("ArrowRight");
  assert.equal(await clock(page), 0.005, "one recorded time on");
  await page.keyboard.press("Shift+ArrowRight");
  assert.equal(await clock(page), 0.055);
  await page.keyboard.press("End");
  assert.equal(await clock(page), 1);
  const speed = Number(await page.inputValue("select[aria-label=Speed]"));
  await page.keyboard.press("+");
  assert.ok(Number(await page.inputValue("select[aria-label=Speed]")) > speed);
  assert.deepEqual(complaints, []);
  await context.close();
});

test("draws the mechanism as it was drawn before", async () => {
  const { page, complaints, context } = await open(browser, `file://${report}#theme=light&paused&t=0.1`);
  const now = await thumbnail(page);
  const reference = new URL("reference/slider_crank.json", import.meta.url);
  if (process.env.TRAMMEL_REGENERATE || !existsSync(reference)) writeFileSync(reference, JSON.stringify(now) + "\n");
  const stored = JSON.parse(readFileSync(reference, "utf8"));
  // Another version of the browser shifts edges by part of a pixel, which hardly shows in blocks of 15 x 23 pixels.
  const off = now.filter((value, i) => Math.abs(value - stored[i]) > 24).length / now.length;
  assert.ok(difference(now, stored) < 1 && off < 0.005, `mean difference ${difference(now, stored)}, ${off} of the blocks off`);
  await page.keyboard.press("End");
  const later = await thumbnail(page);
  assert.ok(difference(now, later) > 2, "the mechanism has moved");
  await page.keyboard.press("d");
  assert.ok(difference(later, await thumbnail(page)) > 100, "dark");
  assert.deepEqual(complaints, []);
  await context.close();
});

test("plots react: add by click and by drag, seek, zoom, follow the animation, export", async () => {
  const { page, complaints, context } = await open(browser, `file://${report}#theme=light&paused`);
  const plots = page.locator(".plot-list .plot");
  const before_count = await plots.count();
  assert.ok(before_count >= 2);
  // By search and click: a new plot, as no other has this unit.
  await page.keyboard.press("/");
  await page.keyboard.type("slider velocity.x");
  await page.click('.row.channel:has-text("slider.velocity.x")');
  await page.waitForSelector('.chip:has-text("slider.velocity.x")');
  assert.equal(await plots.count(), before_count + 1);
  // By drag into the last plot.
  await page.fill("input[type=search]", "rod.velocity.x");
  await page.dragAndDrop('.row.channel:has-text("rod.velocity.x")', ".plot-list .plot:last-child .plot-body");
  await page.waitForSelector('.plot:last-child .chip:has-text("rod.velocity.x")');
  await page.fill("input[type=search]", "no such channel");
  assert.match(await page.textContent(".rows .nothing"), /Nothing/);
  await page.fill("input[type=search]", "");
  // A click goes to that time, and the mark of the animation follows.
  const over = page.locator(".plot:last-child .u-over");
  const box = await over.boundingBox();
  await page.mouse.click(box.x + box.width * 0.5, box.y + box.height * 0.5);
  assert.ok(Math.abs((await clock(page)) - 0.5) < 0.01);
  const mark = await page.locator(".plot:last-child .now").boundingBox();
  assert.ok(Math.abs(mark.x - (box.x + box.width * 0.5)) < 3);
  // The value in the legend is that of the channel then.
  const value = await page.textContent('.plot:last-child .chip:has-text("slider.velocity.x") output');
  assert.ok(Number.isFinite(Number(value.replace("−", "-"))));
  // Drag zooms all plots; double click shows all again.
  await page.mouse.move(box.x + box.width * 0.2, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.4, box.y + 25, { steps: 5 });
  await page.mouse.up();
  const range = () => page.evaluate(() => document.getElementById("trammel").trammel.context.range);
  const zoomed = await range();
  assert.ok(Math.abs(zoomed[0] - 0.2) < 0.01 && Math.abs(zoomed[1] - 0.4) < 0.01, String(zoomed));
  await page.mouse.dblclick(box.x + box.width * 0.5, box.y + 20);
  assert.equal(await range(), null);
  // Export.
  await page.hover(".plot:last-child");
  const [csv] = await Promise.all([page.waitForEvent("download"), page.click('.plot:last-child [aria-label="Save as CSV"]')]);
  const lines = readFileSync(await csv.path(), "utf8").trim().split("\n");
  assert.equal(lines[0], "time [s],slider.velocity.x [m/s],rod.velocity.x [m/s]");
  assert.equal(lines.length, 1 + 201);
  const [png] = await Promise.all([page.waitForEvent("download"), page.click('.plot:last-child [aria-label="Save as PNG"]')]);
  assert.equal(readFileSync(await png.path()).subarray(1, 4).toString(), "PNG");
  assert.deepEqual(complaints, []);
  await context.close();
});

test("shows balance, run, model and keys", async () => {
  const { page, complaints, context } = await open(browser, `file://${report}#theme=dark&paused`);
  await page.click("#tab-Balance");
  assert.match(await page.textContent(".energy-balance"), /Numerical loss/);
  assert.match(await page.textContent("#page-Balance"), /Constraint errors/);
  await page.click("#tab-Run");
  const text = await page.textContent("#page-Run");
  for (const part of ["generalized-alpha", "trammel run", "trammel 0.", "freedoms", "201 times"]) assert.ok(text.includes(part), part);
  await page.click('.row.body:has-text("crank")');
  assert.match(await page.textContent(".inspector"), /0\.5 kg/);
  await page.click(".inspector >> text=Follow");
  await page.keyboard.press("End");
  await page.keyboard.press("Escape");
  assert.ok(await page.isHidden(".inspector"));
  await page.keyboard.press("?");
  assert.ok(await page.isVisible("dialog.help"));
  await page.keyboard.press("Escape");
  // Everything of the drawing can be switched.
  for (const key of "tjrangf1234") await page.keyboard.press(key);
  assert.deepEqual(complaints, []);
  await context.close();
});

test("without WebGL says so, and the plots work", async () => {
  const plain = await launch({ webgl: false });
  try {
    const { page, complaints } = await open(plain, `file://${report}`);
    assert.match(await page.textContent(".stage [role=alert]"), /WebGL/);
    const box = await page.locator(".plot .u-over").first().boundingBox();
    await page.mouse.click(box.x + box.width * 0.25, box.y + 20);
    assert.ok(Math.abs((await clock(page)) - 0.25) < 0.01);
    assert.deepEqual(complaints, []);
  } finally {
    await plain.close();
  }
});

test("can be mounted into an element of another page, twice", async () => {
  const { page, complaints, context } = await open(browser, `file://${report}#paused`);
  const ready = await page.evaluate(() => {
    const header = JSON.parse(document.getElementById("trammel-header").textContent);
    const text = atob(document.getElementById("trammel-data").textContent);
    const bytes = Uint8Array.from(text, (c) => c.charCodeAt(0)).buffer;
    return [1, 2].map(() => {
      const element = document.createElement("div");
      element.style.cssText = "width:600px;height:400px";
      document.body.append(element);
      window.trammelViewer.mount(element, header, bytes, { paused: true, embed: true });
      return [element.dataset.ready, element.querySelector("canvas").clientHeight > 300];
    });
  });
  assert.deepEqual(ready, [["true", true], ["true", true]]);
  assert.deepEqual(complaints, []);
  await context.close();
});

test("a chain of 1000 links moves", async () => {
  const large = run(folder.path, chain(folder.path, 1000), "chain1000");
  const { page, complaints, context } = await open(browser, `file://${large}#paused`);
  const draw = () =>
    page.evaluate(() => {
      const { stage, playback } = document.getElementById("trammel").trammel;
      const begin = performance.now();
      playback.seek(playback.time + 0.001);
      stage.draw();
      return performance.now() - begin;
    });
  await draw();
  const elapsed = [await draw(), await draw(), await draw()].sort((a, b) => a - b)[1];
  console.log(`a frame of 1000 bodies takes ${elapsed.toFixed(1)} ms without the graphics card`);
  assert.ok(elapsed < 1000);
  const first = await thumbnail(page);
  await page.keyboard.press("End");
  // A thin line crosses few of the blocks, but those clearly.
  const end = await thumbnail(page);
  assert.ok(first.filter((value, i) => Math.abs(value - end[i]) > 3).length > 15);
  assert.deepEqual(complaints, []);
  await context.close();
});

test("draws cams, rollers and wires, and the buttons cover none of it", async () => {
  const models = {
    cam: `bodies:
  cam: {mass: 1 kg, inertia: 0.01 kg m^2, angular_velocity: 20 rad/s}
  follower: {mass: 0.5 kg, inertia: 0.01 kg m^2, position: [0, 0.13]}
joints:
  bearing: {type: revolute, between: [ground, cam]}
  guide: {type: prismatic, between: [ground, follower], axis: y}
  contact: {type: cam_roller, between: [cam, follower], profile: 0.1 m + 0.01 m * cos(angle), roller_radius: 20 mm}`,
    wire: `gravity: [0, -9.81]
bodies:
  bead: {mass: 0.1 kg, inertia: 1e-4 kg m^2, position: [0.5, 0.25]}
joints:
  wire: {type: point_on_curve, between: [ground, bead], y: 1*x^2}`,
  };
  /** Where the colour of a point of the drawing lies between that of its background and others: 0 is background. */
  const contrast = (page, x, y) =>
    page.evaluate(
      async ([x, y]) => {
        const { stage } = document.getElementById("trammel").trammel;
        const bitmap = await createImageBitmap(await stage.snapshot());
        const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d", { willReadFrequently: true });
        pen.drawImage(bitmap, 0, 0);
        // The camera says where a point of the model is on the screen.
        const at = stage.camera.controls.target.clone().set(x, y, 0).project(stage.camera.active);
        const [u, v] = [((at.x + 1) / 2) * bitmap.width, ((1 - at.y) / 2) * bitmap.height];
        const around = pen.getImageData(Math.round(u) - 2, Math.round(v) - 2, 5, 5).data;
        const ground = pen.getImageData(2, bitmap.height - 3, 1, 1).data;
        let most = 0;
        for (let i = 0; i < around.length; i += 4) most = Math.max(most, Math.abs(around[i] - ground[0]) + Math.abs(around[i + 2] - ground[2]));
        return { most, top: (v / bitmap.height) * stage.canvas.clientHeight };
      },
      [x, y],
    );
  const opened = async (name, settings) => {
    const path = join(folder.path, `${name}.yaml`);
    writeFileSync(path, `trammel: 1\nspace: planar\n${models[name]}\n`);
    return open(browser, `file://${run(folder.path, path, name)}#theme=light&paused&${settings}`, { width: 900, height: 560 });
  };

  const cam = await opened("cam", "t=0");
  // Inside of the profile all round, and outside of it: r = 0.1 + 0.01 cos(angle).
  for (const angle of [0.3, 2, 3.3, 4, 5.5]) {
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const r = 0.1 + 0.01 * c;
    assert.ok((await contrast(cam.page, 0.93 * r * c, 0.93 * r * s)).most > 60, `cam at ${angle}`);
    assert.ok((await contrast(cam.page, 1.12 * r * c, 1.12 * r * s)).most < 60, `beside the cam at ${angle}`);
  }
  const top = await contrast(cam.page, 0, 0.147);
  assert.ok(top.most > 60 && top.top > 50, `the roller is below the buttons: ${top.top} px`);
  assert.deepEqual(cam.complaints, []);
  await cam.context.close();

  const wire = await opened("wire", "t=0.4");
  for (const x of [-0.45, -0.2, 0.3, 0.55]) assert.ok((await contrast(wire.page, x, x * x)).most > 60, `wire at ${x}`);
  assert.ok((await contrast(wire.page, -0.3, 0.2)).most < 60, "above the wire");
  assert.deepEqual(wire.complaints, []);
  await wire.context.close();
});

test("stands in a frame of another page by srcdoc, as in a notebook", async () => {
  const context = await browser.newContext({ viewport: { width: 900, height: 700 } });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.setContent('<h1>Notebook</h1><div id="cell"></div>');
  // Once free, once locked in: scripts only, without storage and origin.
  for (const sandbox of [null, "allow-scripts"]) {
    await page.evaluate(
      ([text, sandbox]) => {
        const frame = document.createElement("iframe");
        frame.style.cssText = "width:800px;height:450px;border:0";
        frame.name = "trammel:embed&paused&t=0.25&theme=dark";
        if (sandbox) frame.setAttribute("sandbox", sandbox);
        frame.srcdoc = text;
        document.getElementById("cell").replaceChildren(frame);
      },
      [readFileSync(report, "utf8"), sandbox],
    );
    const frame = await (await page.waitForSelector("iframe")).contentFrame();
    await frame.waitForSelector("#trammel[data-ready=true]", { state: "attached" });
    assert.equal(Number(await frame.textContent(".clock .time")), 0.25);
    assert.equal(await frame.getAttribute("#trammel", "data-theme"), "dark");
    assert.ok(await frame.isHidden(".top"), "only the drawing and the timeline");
    assert.ok(await frame.isVisible("canvas.drawing"));
    await frame.click(".timeline button[aria-label*=Play]");
    await page.waitForTimeout(400);
    assert.ok(Number(await frame.textContent(".clock .time")) !== 0.25, "it plays");
  }
  assert.deepEqual(complaints, []);
  await context.close();
});

test("everything can be reached and used by the keyboard", async () => {
  const { page, complaints, context } = await open(browser, `file://${report}#theme=light&paused`);
  // Tab goes once round the page; each stop has a name and can be seen to have the focus.
  const stops = [];
  for (let i = 0; i < 80; ++i) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(() => {
      const e = document.activeElement;
      if (!e || e === document.body) return null;
      const style = getComputedStyle(e);
      const name = e.getAttribute("aria-label") || e.textContent.trim() || e.getAttribute("placeholder") || e.title;
      const around = getComputedStyle(e.parentElement);
      const shown = style.outlineStyle !== "none" || style.boxShadow !== "none" || around.boxShadow !== "none";
      return { tag: e.tagName, name, shown, role: e.getAttribute("role") };
    });
    if (!stop) break;
    stops.push(stop);
  }
  const names = stops.map((stop) => stop.name);
  for (const wanted of ["Search model and channels", "Model panel", "Results panel", "Keys", "Speed", "Plots", "New plot"]) {
    assert.ok(names.some((name) => name.includes(wanted)), `${wanted} among ${names.join(" | ")}`);
  }
  assert.deepEqual(stops.filter((stop) => !stop.name), [], "every stop has a name");
  assert.deepEqual(stops.filter((stop) => !stop.shown).map((stop) => stop.name), [], "the focus can be seen");
  // The tree by arrows: down to a channel, Enter plots it.
  await page.keyboard.press("/");
  await page.keyboard.type("slider.velocity.x");
  await page.keyboard.press("ArrowDown");
  for (let i = 0; i < 8 && !(await page.evaluate(() => document.activeElement?.textContent?.includes("slider.velocity.x"))); ++i) {
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Enter");
  await page.waitForSelector('.chip:has-text("slider.velocity.x")');
  // Pages of results by arrows.
  await page.focus("#tab-Plots");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.getAttribute("#tab-Balance", "aria-selected"), "true");
  assert.deepEqual(complaints, []);
  await context.close();
});

test("made afterwards, it tells what happened as well", async () => {
  const again = join(folder.path, "again.html");
  execFileSync(trammel, ["report", join(folder.path, "slider_crank.h5"), "-o", again]);
  const facts = [];
  for (const path of [report, again]) {
    const { page, context } = await open(browser, `file://${path}#paused`);
    await page.click("#tab-Run");
    facts.push(await page.evaluate(() => document.getElementById("trammel").trammel.runs[0].header.run.facts));
    assert.match(await page.textContent("#page-Run"), /freedoms/);
    await context.close();
  }
  assert.ok(facts[0].length > 5);
  assert.deepEqual(facts[1], facts[0]);
});

test("a run that was killed or goes on can be shown", async () => {
  // As a killed run leaves it: rows, but no end.
  const { page, complaints, context } = await open(browser, `file://${report}#paused`);
  const shown = await page.evaluate(() => {
    const header = JSON.parse(document.getElementById("trammel-header").textContent);
    const text = atob(document.getElementById("trammel-data").textContent);
    header.run.outcome = "running";
    header.run.facts = [];
    const element = document.createElement("div");
    element.style.cssText = "width:900px;height:500px";
    document.body.append(element);
    window.trammelViewer.mount(element, header, Uint8Array.from(text, (c) => c.charCodeAt(0)).buffer, {});
    return element.querySelector(".status").textContent;
  });
  assert.equal(shown, "running");
  assert.deepEqual(complaints, []);
  await context.close();
});
