// Meshes of bodies, and what other programs get: the animation as glTF, pictures and frames.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import * as THREE from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { launch, open } from "./browser.mjs";
import { example, run, scratch, trammel } from "./runs.mjs";

let folder, browser;

/** A pyramid on a square of 0.2 m, 0.3 m high, in millimetres. */
const pyramid = `v -100 -100 0\nv 100 -100 0\nv 100 100 0\nv -100 100 0\nv 0 0 300\nf 4 3 2 1\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n`;

const model = `trammel: 1
name: pyramid
space: spatial
gravity: [0, 0, -9.81]
bodies:
  top:
    shape: {mesh: {file: pyramid.obj, scale: 0.001, density: 1000}, color: red}
    angular_velocity: [0, 1, 6]
simulation: {until: 0.5 s, step: 1 ms, output_step: 10 ms}
`;

before(async () => {
  folder = scratch();
  writeFileSync(join(folder.path, "pyramid.obj"), pyramid);
  writeFileSync(join(folder.path, "pyramid.yaml"), model);
  run(folder.path, join(folder.path, "pyramid.yaml"), "pyramid");
  run(folder.path, example("slider_crank"), "slider_crank");
  browser = await launch();
});
after(async () => {
  await browser?.close();
  folder?.remove();
});

const call = (words, environment = {}) => spawnSync(trammel, words, { cwd: folder.path, encoding: "utf8", env: { ...process.env, ...environment } });

test("a mesh is drawn in its colour and moves", async () => {
  const { page, complaints, context } = await open(browser, `file://${join(folder.path, "pyramid.html")}#paused&theme=light`);
  const red = () =>
    page.evaluate(async () => {
      const blob = await document.getElementById("trammel").trammel.stage.snapshot();
      const image = await createImageBitmap(blob);
      const canvas = new OffscreenCanvas(image.width, image.height);
      const pen = canvas.getContext("2d");
      pen.drawImage(image, 0, 0);
      const { data } = pen.getImageData(0, 0, image.width, image.height);
      let count = 0;
      let x = 0;
      let y = 0;
      for (let i = 0; i < data.length; i += 4) {
        if (data[i] < 90 || data[i] < 1.7 * data[i + 2]) continue;
        ++count;
        x += (i / 4) % image.width;
        y += Math.floor(i / 4 / image.width);
      }
      return { count, x: x / count, y: y / count };
    });
  const start = await red();
  assert.ok(start.count > 500, `red pixels: ${start.count}`);
  await page.keyboard.press("End");
  const end = await red();
  assert.ok(Math.abs(end.y - start.y) > 30, "it has fallen");
  assert.deepEqual(complaints, []);
  await context.close();
});

test("glTF of a run is read by three.js, with its motion", async () => {
  const answer = call(["export", "slider_crank.h5", "--to", "glb"]);
  assert.equal(answer.status, 0, answer.stderr);
  const bytes = readFileSync(join(folder.path, "slider_crank.glb"));
  const gltf = await new Promise((done, failed) =>
    new GLTFLoader().parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), "", done, failed),
  );
  assert.equal(gltf.animations.length, 1);
  const clip = gltf.animations[0];
  assert.ok(Math.abs(clip.duration - 1) < 1e-6);
  assert.equal(clip.tracks.length, 6, "translation and rotation of three bodies");
  // The slider, at a recorded time, is where the results say.
  const mixer = new THREE.AnimationMixer(gltf.scene);
  mixer.clipAction(clip).play();
  mixer.setTime(0.25);
  const csv = execFileSync(trammel, ["export", "slider_crank.h5", "-c", "slider.position.x,rod.angle", "-o", "-"], { cwd: folder.path, encoding: "utf8" });
  const row = csv.split("\n").find((line) => line.startsWith("0.25,")).split(",").map(Number);
  assert.ok(Math.abs(gltf.scene.getObjectByName("slider").position.x - row[1]) < 1e-6);
  const rod = gltf.scene.getObjectByName("rod").quaternion;
  assert.ok(Math.abs(Math.cos(row[2]) - (1 - 2 * rod.z * rod.z)) < 1e-5);
  const meshes = [];
  gltf.scene.traverse((object) => object.isMesh && meshes.push(object));
  assert.equal(meshes.length, 3);
});

test("VTK files of a run are there, one per time", () => {
  const answer = call(["export", "pyramid.h5", "--to", "vtk", "--frames", "11"]);
  assert.equal(answer.status, 0, answer.stderr);
  assert.equal(readdirSync(join(folder.path, "pyramid_vtk")).length, 11);
  assert.equal(readFileSync(join(folder.path, "pyramid.pvd"), "utf8").match(/<DataSet /g).length, 11);
});

const png_size = (path) => {
  const bytes = readFileSync(path);
  assert.equal(bytes.subarray(1, 4).toString(), "PNG");
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
};

test("a picture and frames are drawn without a window", () => {
  let answer = call(["render", "slider_crank.h5", "--time", "0.2", "--size", "400x300", "--camera", "front"]);
  assert.equal(answer.status, 0, answer.stderr);
  assert.deepEqual(png_size(join(folder.path, "slider_crank.png")), [400, 300]);
  answer = call(["render", "slider_crank.html", "-o", "frames/", "--size", "320x200", "--fps", "2", "--speed", "0.25"]);
  assert.equal(answer.status, 0, answer.stderr);
  const frames = readdirSync(join(folder.path, "frames")).sort();
  assert.deepEqual([frames.length, frames[0], frames[8]], [9, "frame_00000.png", "frame_00008.png"]);
  assert.ok(!readFileSync(join(folder.path, "frames", frames[0])).equals(readFileSync(join(folder.path, "frames", frames[4]))), "it moves");
});

test("films are made by ffmpeg out of the frames", () => {
  // A stand-in that notes what it was asked to do.
  const tools = join(folder.path, "tools");
  mkdirSync(tools);
  writeFileSync(join(tools, "ffmpeg"), '#!/bin/sh\nfor last; do :; done\necho "$@" > "$last"\n');
  chmodSync(join(tools, "ffmpeg"), 0o755);
  const answer = call(["render", "slider_crank.h5", "-o", "film.gif", "--size", "200x150", "--fps", "4", "--speed", "1"], { PATH: `${tools}:${process.env.PATH}` });
  assert.equal(answer.status, 0, answer.stderr);
  assert.match(readFileSync(join(folder.path, "film.gif"), "utf8"), /-framerate 4 -i \S+frame_%05d\.png .*palettegen/);
});

test("a page that is no report is refused", () => {
  writeFileSync(join(folder.path, "other.html"), "<!doctype html><title>other</title><p>hello</p>");
  const answer = call(["render", "other.html", "-o", "other.png"]);
  assert.equal(answer.status, 2);
  assert.match(answer.stderr, /no report that can be drawn/);
});
