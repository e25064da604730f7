// trammel view: served runs, two of them overlaid, and one that still grows.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open } from "./browser.mjs";
import { example, run, scratch, trammel, view } from "./runs.mjs";

let folder, browser;

before(async () => {
  folder = scratch();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  folder?.remove();
});

test("overlays two runs", async () => {
  run(folder.path, example("slider_crank"), "fine", "--no-report");
  run(folder.path, example("slider_crank"), "coarse", "--no-report", "--step", "5 ms");
  const server = await view(folder.path, "fine.h5", "coarse.h5");
  try {
    const { page, complaints, context } = await open(browser, `${server.address}#paused&theme=light`);
    assert.match(await page.textContent(".overlaid"), /fine.*coarse/);
    const counts = await page.evaluate(() => {
      const { stage } = document.getElementById("trammel").trammel;
      return stage.mechanisms.length;
    });
    assert.equal(counts, 2);
    assert.deepEqual(complaints, []);
    await context.close();
  } finally {
    assert.equal(await server.stop(), 0);
  }
});

test("follows a run that goes on", async () => {
  const model = example("chain10");
  const going = spawn(trammel, ["run", model, "-o", "live.h5", "-q", "--no-report", "--until", "1000 s", "--output-step", "0.1 s"], { cwd: folder.path });
  const gone = new Promise((done) => going.on("exit", done));
  try {
    while (!existsSync(join(folder.path, "live.h5"))) await new Promise((done) => setTimeout(done, 50));
    const server = await view(folder.path, "live.h5");
    try {
      const { page, context } = await open(browser, `${server.address}#paused`);
      assert.equal(await page.textContent(".status"), "running");
      const end = () => page.evaluate(() => document.getElementById("trammel").trammel.playback.end);
      const before_end = await end();
      await page.waitForFunction((t) => document.getElementById("trammel").trammel.playback.end > t, before_end);
      going.kill("SIGINT");
      await gone;
      await page.waitForFunction(() => document.querySelector(".status").textContent === "stopped");
      await context.close();
    } finally {
      await server.stop();
    }
  } finally {
    going.kill("SIGKILL");
  }
});

test("answers only this machine, and only what it offers", async () => {
  run(folder.path, example("slider_crank"), "plain", "--no-report");
  const server = await view(folder.path, "plain.h5");
  try {
    const status = async (path, options) => (await fetch(server.address + path, options)).status;
    assert.equal(await status("api/runs"), 200);
    assert.equal(await status("api/runs/1"), 404);
    assert.equal(await status("../../etc/passwd"), 404);
    assert.equal(await status("", { method: "POST" }), 405);
  } finally {
    await server.stop();
  }
});
