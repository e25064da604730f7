// What people of different trades want of a report: readable, on paper, on a phone, with the plots they ask for.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { launch, open } from "./browser.mjs";
import { example, run, scratch } from "./runs.mjs";

let folder, browser, planar, spatial;

before(async () => {
  folder = scratch();
  planar = run(folder.path, example("slider_crank"), "slider_crank");
  spatial = run(folder.path, example("bricard"), "bricard", "-u", "0.5 s");
  browser = await launch();
});
after(async () => {
  await browser?.close();
  folder?.remove();
});

const show = (path, settings = "", size = {}) => open(browser, `file://${path}#paused&theme=light&${settings}`, size);

/** Texts whose contrast to what lies behind them is below 4.5 : 1 (WCAG AA). */
const pale_texts = (page) =>
  page.evaluate(() => {
    const numbers = (color) => {
      const pen = new OffscreenCanvas(1, 1).getContext("2d");
      pen.fillStyle = color;
      pen.fillRect(0, 0, 1, 1);
      return [...pen.getImageData(0, 0, 1, 1).data];
    };
    const over = (front, back) => front.slice(0, 3).map((c, i) => (c * front[3] + back[i] * (255 - front[3])) / 255);
    const background = (element) => {
      if (!element) return [255, 255, 255];
      const own = numbers(getComputedStyle(element).backgroundColor);
      return own[3] === 255 ? own.slice(0, 3) : over(own, background(element.parentElement));
    };
    const luminance = (rgb) => {
      const [r, g, b] = rgb.map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const found = [];
    for (const element of document.querySelectorAll(".trammel *")) {
      const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
      if (!own || !element.checkVisibility?.() || element.closest("svg, option")) continue;
      const back = background(element);
      const [a, b] = [luminance(over(numbers(getComputedStyle(element).color), back)), luminance(back)].sort((x, y) => y - x);
      const contrast = (a + 0.05) / (b + 0.05);
      if (contrast < 4.5) found.push(`${element.className || element.tagName} "${element.textContent.trim().slice(0, 20)}" ${contrast.toFixed(2)}`);
    }
    return found;
  });

test("every text is readable, light and dark", async () => {
  for (const scheme of ["light", "dark"]) {
    const { page, context } = await open(browser, `file://${planar}#paused&theme=${scheme}`);
    await page.click('.plot-list .plot:last-child [aria-label="Numbers"]', { force: true });
    for (const tab of ["Plots", "Balance", "Run"]) {
      await page.click(`#tab-${tab}`);
      await page.click(".row.body");
      assert.deepEqual(await pale_texts(page), [], `${scheme}, ${tab}`);
    }
    await context.close();
  }
});

test("Enter in the search takes what was found first, and other words find what they mean", async () => {
  const { page, context } = await show(planar);
  const plots = () => page.locator(".plot-list .plot").count();
  const count = await plots();
  await page.keyboard.press("/");
  await page.keyboard.type("slider.velocity.x");
  await page.keyboard.press("Enter");
  assert.equal(await plots(), count + 1);
  assert.equal(await page.locator('.chip:has-text("slider.velocity.x")').count(), 1);
  await page.keyboard.press("Enter");
  assert.equal(await page.locator('.chip:has-text("slider.velocity.x")').count(), 1, "a second time changes nothing");
  await page.fill("input[type=search]", "hinge");
  const found = await page.$$eval(".row .label", (rows) => rows.map((row) => row.textContent));
  assert.deepEqual(found.slice(0, 3), ["main", "crank_pin", "wrist"], "revolute joints");
  await page.fill("input[type=search]", "translational");
  assert.deepEqual(await page.$$eval(".row .label", (rows) => rows.map((row) => row.textContent)), ["guide"]);
  await page.keyboard.press("Enter");
  assert.match(await page.textContent(".inspector"), /prismatic/);
  await context.close();
});

test("bands of a certified run lie around their lines, and are no channels of their own", async () => {
  const certified = run(folder.path, example("slider_crank"), "certified", "--certify", "--step", "10 ms", "--output-step", "10 ms");
  const { page, complaints, context } = await show(certified);
  const { bands, value } = await page.evaluate(() => {
    const [panel] = document.getElementById("trammel").trammel.plots.panels;
    const [upper, lower] = panel.plot.bands[0].series;
    const last = panel.plot.data[0].length - 1;
    const at = (series) => panel.plot.data[series][last];
    return { bands: [at(upper), at(upper - 1), at(lower)], value: document.querySelector(".chip output").textContent };
  });
  assert.ok(bands[0] > bands[1] && bands[1] > bands[2]);
  await page.fill("input[type=search]", "band");
  assert.equal(await page.locator(".row .label").count(), 0);
  assert.match(value, /±/);
  assert.deepEqual(complaints, []);
  await context.close();
});

test("views are those from which there is something to see", async () => {
  const buttons = (page) => page.$$eval('[aria-label="View"] .tool.text', (list) => list.map((button) => button.textContent));
  const flat = await show(planar);
  assert.deepEqual(await buttons(flat.page), ["Oblique", "Front"]);
  const before_key = await flat.page.evaluate(() => document.getElementById("trammel").trammel.stage.camera.active.position.toArray());
  await flat.page.keyboard.press("3");
  assert.deepEqual(await flat.page.evaluate(() => document.getElementById("trammel").trammel.stage.camera.active.position.toArray()), before_key);
  await flat.context.close();
  const solid = await show(spatial);
  assert.deepEqual(await buttons(solid.page), ["Oblique", "Front", "Side", "Top"]);
  await solid.context.close();
});

/** Visible elements that reach beyond the window, or beyond a box that cuts them off. */
const clipped = (page) =>
  page.evaluate(() => {
    const found = [];
    for (const element of document.querySelectorAll(".trammel .top *, .trammel .timeline *, .trammel .toolbar *, .trammel .tabs *, .trammel .chip")) {
      if (!element.checkVisibility?.() || element.closest("option, svg *")) continue;
      const box = element.getBoundingClientRect();
      if (box.width && (box.left < -0.5 || box.right > innerWidth + 0.5)) found.push(`${element.className.baseVal ?? element.className} ${box.left} ${box.right}`);
    }
    return found;
  });

test("fits on a phone and on a sheet's width; the model panel opens there", async () => {
  for (const width of [390, 794, 1000]) {
    const { page, complaints, context } = await show(planar, "t=0.1", { width, height: 800 });
    assert.deepEqual(await clipped(page), [], `at ${width} px`);
    assert.equal(await page.isVisible(".left"), false);
    await page.click('[aria-label="Model panel"]');
    assert.ok(await page.isVisible(".left .search input"), `at ${width} px`);
    await page.click('.row.body:has-text("crank")');
    assert.match(await page.textContent(".inspector"), /mass/);
    await page.click('[aria-label="Model panel"]');
    assert.equal(await page.isVisible(".left"), false);
    await page.keyboard.press("/");
    assert.ok(await page.isVisible(".left .search input"), "the key of the search opens it as well");
    await page.keyboard.press("Escape");
    await page.click('[aria-label="Results panel"]');
    assert.equal(await page.isVisible(".right"), false);
    const drawing = await page.locator(".stage").boundingBox();
    assert.ok(drawing.height > 600, "the drawing takes the room");
    assert.deepEqual(complaints, []);
    await context.close();
  }
});

test("lines are drawn between the pixels, and labels beside the numbers of an axis", async () => {
  const { page, context } = await show(planar);
  // The centre of the first line in each column of pixels: on whole pixels only, it would be a staircase.
  const fractions = await page.evaluate(() => {
    const { plot } = document.getElementById("trammel").trammel.plots.panels[0];
    const { canvas } = plot.ctx;
    const { left, top, width, height } = plot.bbox;
    const wanted = [31, 111, 178]; // of the first line, #1f6fb2
    const { data } = plot.ctx.getImageData(left, top, width, height);
    const seen = new Set();
    for (let x = 0; x < Math.floor(width); ++x) {
      let mass = 0;
      let moment = 0;
      for (let y = 0; y < Math.floor(height); ++y) {
        const at = 4 * (y * Math.floor(width) + x);
        const near = data[at + 3] > 0 && Math.hypot(data[at] - wanted[0], data[at + 1] - wanted[1], data[at + 2] - wanted[2]) < 60;
        if (near) {
          mass += data[at + 3];
          moment += data[at + 3] * y;
        }
      }
      if (mass > 0) seen.add(Math.round(20 * ((moment / mass) % 1)));
    }
    return [seen.size, canvas.width];
  });
  assert.ok(fractions[0] >= 8, `${fractions[0]} different places between two pixels`);
  // A unit stands beyond the widest number of its axis.
  await page.click("#tab-Balance");
  await page.waitForTimeout(300);
  const overlaps = await page.evaluate(() => {
    const app = document.getElementById("trammel").trammel;
    const pen = document.createElement("canvas").getContext("2d");
    return app.balance.panels.flatMap(({ plot }) =>
      plot.axes.slice(1).map((axis) => {
        pen.font = "11px Inter, system-ui, sans-serif";
        return axis._size - axis.gap - Math.max(...(axis._values ?? []).map((text) => pen.measureText(text).width));
      }),
    );
  });
  assert.ok(overlaps.length >= 3 && overlaps.every((room) => room >= 0), String(overlaps));
  await context.close();
});

test("plots go over any channel, with values under the cursor and numbers of what is visible", async () => {
  const { page, complaints, context } = await show(planar, "t=0.3");
  // Under the cursor.
  const over = await page.locator(".plot:nth-child(2) .u-over").boundingBox();
  const value = async () => Number((await page.textContent(".plot:nth-child(2) .chip:first-child output")).replace("−", "-"));
  const at_rest = await value();
  await page.mouse.move(over.x + 0.42 * over.width, over.y + 40);
  await page.waitForFunction((old) => Number(document.querySelector(".plot:nth-child(2) .chip:first-child output").textContent.replace("−", "-")) !== old, at_rest);
  const pointed = await value();
  const expected = await page.evaluate(() => {
    const [run] = document.getElementById("trammel").trammel.runs;
    const i = run.time.findIndex((t) => t >= 0.42 - 1e-9);
    return run.column("main.reaction.force.x")[i];
  });
  assert.ok(Math.abs(pointed - expected) < 0.1 * Math.abs(expected) + 5, `${pointed} ${expected}`);
  await page.mouse.move(700, 5);
  await page.waitForFunction((old) => Number(document.querySelector(".plot:nth-child(2) .chip:first-child output").textContent.replace("−", "-")) === old, at_rest);
  // Numbers.
  await page.click('.plot:nth-child(2) [aria-label="Numbers"]', { force: true });
  const numbers = await page.textContent(".plot:nth-child(2) .statistics");
  const truth = await page.evaluate(() => {
    const [run] = document.getElementById("trammel").trammel.runs;
    const column = run.column("main.reaction.force.x");
    return [Math.min(...column), Math.max(...column)].map((x) => String(Number(x.toPrecision(5))).replace("-", "−"));
  });
  for (const text of truth) assert.ok(numbers.includes(text), `${text} in ${numbers}`);
  // Over another channel.
  await page.click('[aria-label="main.angle along the x axis"]', { force: true });
  assert.match(await page.textContent(".plot:nth-child(1) .chip.x-axis"), /over main.angle/);
  const place = await page.evaluate(() => {
    const app = document.getElementById("trammel").trammel;
    const panel = app.plots.panels[0];
    app.playback.seek(0.5);
    const [run] = app.runs;
    const i = run.time.findIndex((t) => t >= 0.5 - 1e-9);
    const x = panel.plot.valToPos(run.column("main.angle")[i], "x");
    const y = panel.plot.valToPos(run.column("crank_pin.angle")[i], "y:rad");
    return { mark: panel.dots[0].style.transform, x, y, inside: x > 0 && x < panel.plot.over.clientWidth };
  });
  const [x, y] = place.mark.match(/-?[\d.]+/g).map(Number);
  assert.ok(place.inside && Math.abs(x - place.x) < 1 && Math.abs(y - place.y) < 1, JSON.stringify(place));
  // A click goes to the time of the nearest point.
  const box = await page.locator(".plot:nth-child(1) .u-over").boundingBox();
  await page.mouse.click(box.x + place.x, box.y + place.y);
  assert.ok(Math.abs(Number(await page.textContent(".clock .time")) - 0.5) < 0.02);
  await page.click('[aria-label="Over time again"]');
  assert.equal(await page.locator(".chip.x-axis").count(), 0);
  assert.deepEqual(complaints, []);
  await context.close();
});

test("prints the drawing, all plots with their numbers, the balance and the run", async () => {
  const { page, complaints, context } = await open(browser, `file://${planar}#paused&theme=dark`, { width: 1000, height: 800 });
  const bytes = await page.pdf({ preferCSSPageSize: true });
  assert.equal(bytes.subarray(0, 4).toString(), "%PDF");
  assert.ok((bytes.toString("latin1").match(/\/Type\s*\/Page\b[^s]/g) ?? []).length >= 3, "several pages");
  assert.equal(await page.getAttribute("#trammel", "data-theme"), "dark", "as before");
  assert.equal(await page.locator(".paper").count(), 0);
  // What is on the paper.
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  assert.ok(await page.isVisible(".paper-picture"));
  assert.equal(await page.getAttribute("#trammel", "data-theme"), "light");
  for (const part of ["#page-Plots .u-wrap", "#page-Balance .energy-balance", "#page-Run pre", ".statistics"]) assert.ok(await page.locator(part).first().isVisible(), part);
  assert.equal(await page.isVisible(".timeline"), false);
  const wide = await page.evaluate(() => [...document.querySelectorAll(".paper *")].filter((e) => e.getBoundingClientRect().right > document.querySelector(".paper").getBoundingClientRect().right + 1).map((e) => e.className));
  assert.deepEqual(wide, [], "nothing is wider than the paper");
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  assert.ok(await page.isVisible(".timeline"));
  assert.deepEqual(complaints, []);
  await context.close();
});

test("records a film without further programs", async () => {
  const { page, context } = await show(planar);
  await page.evaluate(() => document.getElementById("trammel").trammel.playback.set_speed(1));
  const [film] = await Promise.all([page.waitForEvent("download"), page.click('[aria-label^="Save a film"]')]);
  const bytes = readFileSync(await film.path());
  assert.match(film.suggestedFilename(), /\.(webm|mp4)$/);
  const webm = bytes.subarray(0, 4).equals(Buffer.from([0x1a, 0x45, 0xdf, 0xa3]));
  assert.ok(webm || bytes.subarray(4, 8).toString() === "ftyp");
  assert.ok(bytes.length > 10000, `${bytes.length} bytes`);
  await context.close();
});

test("no kinetic energy is below zero", async () => {
  const { page, context } = await show(spatial);
  const least = await page.evaluate(() => Math.min(...document.getElementById("trammel").trammel.runs[0].column("energy.kinetic")));
  assert.ok(least >= 0, String(least));
  await context.close();
});

test("cylinders along sensors, gears and belts are drawn", async () => {
  const drawn = async (name, model) => {
    const report = run(folder.path, model, name, "--no-estimate");
    const { page, complaints, context } = await open(browser, `${pathToFileURL(report)}#paused&theme=light`);
    const counts = await page.evaluate(() => {
      const { main } = document.getElementById("trammel").trammel.stage;
      const wheels = main.gears.pairs.flatMap(({ a, b }) => [a.radius, b.radius]);
      return { gears: main.gears.count, wheels, legs: main.links.legs };
    });
    assert.deepEqual(complaints, []);
    await context.close();
    return counts;
  };
  // Three hydraulic cylinders act along distances of the excavator.
  assert.equal((await drawn("digger", example("hydraulic_excavator"))).legs, 3);
  // Pulleys of 50 mm and 150 mm, 400 mm apart: the drawn radii have that proportion.
  const belt = await drawn("belt", example("belt_drive"));
  assert.equal(belt.gears, 1);
  assert.ok(Math.abs(belt.wheels[1] / belt.wheels[0] - 3) < 1e-9, String(belt.wheels));
});
