// One run in space: its bodies, joints, springs, axes, arrows and traces.
import * as THREE from "three";
import { decode } from "../data/base64";
import type { Mesh, Part, Scene } from "../data/format";
import { Poses } from "../data/poses";
import type { Run } from "../data/run";
import type { Palette } from "../theme";
import { Arrows } from "./arrows";
import { Gears } from "./gears";
import { JointSymbols, joint_axis } from "./joints";
import { Lines } from "./lines";
import { Links, jacks, world_point, type WorldPoint } from "./links";
import { part_solids, rotation, vector } from "./placing";
import { Solids, type Solid } from "./solids";
import { Traces, type TracedPoint } from "./traces";

const most_axes = 2000;
const most_detailed = 500; // bodies
const most_points = 120000;
const sides = [1, -1].flatMap((s) => [new THREE.Vector3(s, 0, 0), new THREE.Vector3(0, s, 0), new THREE.Vector3(0, 0, s)]);

export class Mechanism {
  readonly group = new THREE.Group();
  readonly poses: Poses;
  readonly world: WorldPoint;
  readonly solids: Solids;
  readonly links: Links;
  readonly traces: Traces;
  readonly reactions: Arrows;
  readonly forces: Arrows;
  readonly axes: Lines;
  readonly gears: Gears;
  readonly lift: number;
  private readonly bodies: THREE.Matrix4[];
  private readonly ground = new THREE.Matrix4();
  private readonly layer_height: number;
  private readonly axis_points: Float32Array;
  private readonly axis_joints: { joint: number; axis: THREE.Vector3 }[] = [];

  constructor(
    readonly run: Run,
    readonly scene: Scene,
    private readonly up: THREE.Vector3,
    readonly ghost: number,
  ) {
    const planar = scene.space === "planar";
    this.layer_height = planar ? 0.56 * scene.bar_width : 0;
    const layers = scene.bodies.reduce((most, body) => Math.max(most, body.layer ?? 0), 0) + 1;
    this.lift = planar ? (layers + 1) * this.layer_height : 0;
    this.poses = new Poses(run, scene.bodies);
    this.world = world_point(this.poses.positions, this.poses.rotations);
    this.bodies = scene.bodies.map(() => new THREE.Matrix4());

    const joints = new JointSymbols(scene, this.layer_height, this.poses, run.frame_time.length, up);
    const coarse = scene.bodies.length > most_detailed;
    const solids: Solid[] = scene.bodies.flatMap((body, i) => body.parts.flatMap((part) => part_solids(part, i, coarse, body.kind === "point")));
    const sunk = new THREE.Matrix4().makeTranslation(0, 0, -this.layer_height);
    for (const part of scene.ground_parts ?? []) {
      for (const solid of part_solids(part, -1, coarse)) solids.push({ ...solid, tint: "ground", local: sunk.clone().multiply(solid.local) });
    }
    this.solids = new Solids(solids.concat(joints.solids), scene.bodies.length, ghost, scene.meshes);
    this.links = new Links(scene, this.layer_height);
    this.traces = new Traces(this.poses, run.frame_time, scene.bodies.length, scene.size);
    this.reactions = Arrows.reactions(run, scene, this.world, this.lift);
    this.forces = Arrows.forces(run, scene, this.world, this.poses.rotations, this.lift);
    this.gears = new Gears(scene, this.world, this.lift);
    this.axis_points = this.find_axes();
    this.axes = new Lines(this.axis_points.slice(), undefined, planar ? 3 : 5);
    this.axes.mesh.visible = false;
    this.axes.mesh.renderOrder = 5;
    this.axes.material.depthTest = false;
    this.group.add(this.solids.group, this.links.group, this.traces.group);
    if (!planar && ghost === 0) this.group.add(this.solids.shadows);
    // Overlaid runs lie behind the first one.
    if (planar) this.group.position.z = -ghost * (this.lift + 3 * this.layer_height);
    this.group.add(this.reactions.group, this.forces.group, this.axes.mesh, this.gears.lines.mesh);
  }

  private find_axes(): Float32Array {
    const planar = this.scene.space === "planar";
    this.scene.joints.forEach((joint, number) => {
      const end = joint.ends[joint.ends.length - 1];
      const axis = end && joint_axis(joint, end, planar);
      if (axis && this.axis_joints.length < most_axes) this.axis_joints.push({ joint: number, axis });
    });
    return new Float32Array(6 * this.axis_joints.length);
  }

  set_time(t: number): void {
    this.poses.set_time(t);
    const one = new THREE.Vector3(1, 1, 1);
    const position = new THREE.Vector3();
    const turn = new THREE.Quaternion();
    this.bodies.forEach((matrix, i) => {
      position.fromArray(this.poses.positions, 3 * i);
      position.z += (this.scene.bodies[i].layer ?? 0) * this.layer_height;
      matrix.compose(position, turn.fromArray(this.poses.rotations, 4 * i), one);
    });
    this.solids.place(this.bodies, this.ground);
    this.links.place(this.world, this.poses.rotations);
    this.traces.set_time(t);
    this.reactions.set_time(t);
    this.forces.set_time(t);
    if (this.gears.count) this.gears.place(this.world, this.poses.rotations);
    if (this.axes.mesh.visible) this.place_axes();
  }

  private place_axes(): void {
    const half = 0.09 * this.scene.size;
    const at = new THREE.Vector3();
    const direction = new THREE.Vector3();
    this.axis_joints.forEach(({ joint, axis }, i) => {
      const ends = this.scene.joints[joint].ends;
      const end = ends[ends.length - 1];
      this.world(end, at);
      direction.copy(axis);
      if (end.body >= 0) direction.applyQuaternion(new THREE.Quaternion().fromArray(this.poses.rotations, 4 * end.body));
      at.clone().addScaledVector(direction, -half).toArray(this.axis_points, 6 * i);
      at.addScaledVector(direction, half).toArray(this.axis_points, 6 * i + 3);
    });
    this.axes.update(this.axis_points);
  }

  paint(palette: Palette, selected: number): void {
    this.solids.paint(palette, selected);
    this.links.paint(palette);
    this.traces.paint(palette, this.ghost);
    this.reactions.paint(palette.reaction);
    this.forces.paint(palette.force);
    this.axes.set_color(palette.axis);
    this.gears.lines.set_color(palette.outline);
  }

  set_resolution(width: number, height: number, ratio: number): void {
    this.solids.set_resolution(width, height, ratio);
    this.links.set_resolution(width, height, ratio);
    this.traces.set_resolution(width, height, ratio);
    this.axes.set_resolution(width, height, ratio, 1.4);
    this.gears.lines.set_resolution(width, height, ratio, 2);
  }

  /** The mass centre of a body, or one of its frames, as a point to trace; behind planar bodies. */
  traced_point(body: number, frame?: number): TracedPoint {
    const { center, frames } = this.scene.bodies[body];
    const position = frame === undefined ? center : frames?.[frame]?.position;
    return { body, position: vector(position), lift: -2 * this.layer_height };
  }

  /** The space that the motion needs; `points` gets points that span it. */
  bounds(points: THREE.Vector3[] = []): THREE.Box3 {
    const box = new THREE.Box3();
    const rows = this.run.frame_time.length;
    const step = Math.max(1, Math.ceil((rows * this.scene.bodies.length) / 20000));
    const point = new THREE.Vector3();
    const turn = new THREE.Quaternion();
    const meshes = this.scene.meshes?.map(corners_of) ?? [];
    const corners = this.scene.bodies.map((body) => body.parts.flatMap((part) => outer_points(part, meshes)));
    for (let row = 0; row < Math.max(1, rows); row += step) {
      if (rows) this.poses.set_row(row);
      corners.forEach((parts, i) => {
        turn.fromArray(this.poses.rotations, 4 * i);
        for (const { at, r } of parts) {
          point.copy(at).applyQuaternion(turn).add(new THREE.Vector3().fromArray(this.poses.positions, 3 * i));
          if (!Number.isFinite(point.x + point.y + point.z)) continue;
          box.expandByPoint(point.clone().addScalar(r));
          box.expandByPoint(point.clone().addScalar(-r));
          if (points.length < most_points) for (const side of sides) points.push(point.clone().addScaledVector(side, r));
        }
      });
    }
    for (const { at } of (this.scene.ground_parts ?? []).flatMap((part) => outer_points(part, meshes))) {
      box.expandByPoint(at);
      points.push(at);
    }
    // Supports stand below their joints.
    const below = this.up.clone().multiplyScalar((this.scene.space === "planar" ? -1.8 : -2.6) * this.scene.bar_width);
    for (const item of [...this.scene.joints, ...this.scene.forces, ...jacks(this.scene)]) {
      for (const end of item.ends) {
        if (end.body >= 0) continue;
        for (const at of [vector(end.position), vector(end.position).add(below)]) {
          box.expandByPoint(at);
          points.push(at);
        }
      }
    }
    for (const at of this.gears.reach(this.world)) {
      box.expandByPoint(at);
      points.push(at);
    }
    if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    if (this.scene.space === "planar") {
      box.min.z = box.max.z = 0;
      for (const p of points) p.z = 0;
    }
    return box.expandByScalar(this.scene.bar_width);
  }

  dispose(): void {
    this.solids.dispose();
    this.traces.clear();
    this.axes.dispose();
    this.gears.lines.dispose();
  }
}

/** Of the box around a mesh. */
function corners_of(mesh: Mesh): THREE.Vector3[] {
  const { min, max } = new THREE.Box3().setFromArray(new Float32Array(decode(mesh.points)));
  return [0, 1, 2, 3, 4, 5, 6, 7].map((i) => new THREE.Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z));
}

/** Balls that contain a part: one at each end of a bar, else one around the middle. */
function outer_points(part: Part, meshes: THREE.Vector3[][]): { at: THREE.Vector3; r: number }[] {
  const [a, b, c] = part.size;
  const middle = vector(part.position);
  if (part.kind === "mesh") {
    return meshes[part.mesh ?? 0].map((corner) => ({ at: corner.clone().applyQuaternion(rotation(part)).add(middle), r: 0 }));
  }
  if (part.kind === "bar") {
    const half = new THREE.Vector3(a / 2, 0, 0).applyQuaternion(rotation(part));
    return [middle.clone().add(half), middle.sub(half)].map((at) => ({ at, r: b / 2 }));
  }
  const r = part.kind === "box" ? 0.5 * Math.hypot(a, b, c) : part.kind === "cylinder" ? Math.hypot(a, b / 2) : Math.max(a, b);
  return [{ at: middle, r }];
}
