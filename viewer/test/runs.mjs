// Runs of the command line for the tests.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = resolve(fileURLToPath(import.meta.url), "../../..");
export const trammel = process.env.TRAMMEL ?? join(root, "build/release/bin/trammel");

export function scratch() {
  const path = mkdtempSync(join(tmpdir(), "trammel-viewer-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export function example(name) {
  return join(root, "examples", name, `${name}.yaml`);
}

/** Runs a model; gives the path of its report. */
export function run(folder, model, name, ...options) {
  execFileSync(trammel, ["run", model, "-o", join(folder, `${name}.h5`), "-q", ...options], { cwd: folder });
  return join(folder, `${name}.html`);
}

/** A planar chain of n links that falls. */
export function chain(folder, n) {
  const length = 1 / n;
  const bodies = [];
  const joints = [];
  for (let i = 0; i < n; ++i) {
    bodies.push(`  link${i}: {shape: {rod: {length: ${length}, mass: ${1 / n}}}, position: [${(i + 0.5) * length}, 0], frames: {l: [${-length / 2}, 0], r: [${length / 2}, 0]}}`);
    joints.push(`  hinge${i}: {type: revolute, between: [${i ? `link${i - 1}.r` : "ground"}, link${i}.l]}`);
  }
  const text = `trammel: 1\nname: chain of ${n}\nspace: planar\ngravity: [0, -9.81]\nbodies:\n${bodies.join("\n")}\njoints:\n${joints.join("\n")}\nsimulation: {until: 0.2 s, step: 2 ms, output_step: 10 ms}\n`;
  const path = join(folder, `chain${n}.yaml`);
  writeFileSync(path, text);
  return path;
}

/** Starts `trammel view`; gives its address and a way to end it. */
export async function view(folder, ...results) {
  const server = spawn(trammel, ["view", ...results], { cwd: folder });
  const address = await new Promise((found, failed) => {
    let text = "";
    server.stdout.on("data", (bytes) => {
      text += bytes;
      const match = text.match(/http:\/\/[\d.:]+\//);
      if (match) found(match[0]);
    });
    server.on("exit", () => failed(new Error(`trammel view ended: ${text}`)));
  });
  const ended = new Promise((done) => server.on("exit", (code) => done(code)));
  return {
    address,
    stop: () => {
      server.kill("SIGINT");
      return ended;
    },
  };
}
