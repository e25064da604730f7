// Symbols of the joints: pins, balls, crosses, rails and supports. Kinds of a newer program than this one are drawn as
// pins or balls; a symbol of this program that is not drawn here is an error of the types.
import * as THREE from "three";
import type { End, Item, Scene } from "../data/format";
import type { Poses } from "../data/poses";
import type { GeometryKey } from "./geometries";
import { planar_kinds, spatial_kinds, type PlanarSymbol, type SpatialSymbol } from "./joint_kinds";
import { jacks } from "./links";
import { along, matrix_of, rotation, vector, vector_value } from "./placing";
import type { Solid, Tint } from "./solids";

/** With more joints than these only those with the ground are drawn. */
const most_pins = 400;
const z_axis = new THREE.Vector3(0, 0, 1);

/** The axis of a joint in the frame of the body at one of its ends; undefined when it has none. */
export function joint_axis(joint: Item, end: End, planar: boolean): THREE.Vector3 | undefined {
  const slides = ["rail", "slot"].includes(planar_kinds[joint.type]);
  if (planar && !slides) return z_axis.clone();
  const first = end === joint.ends[0];
  const own = first ? vector_value(joint, "axis") : (vector_value(joint, "axis_b") ?? vector_value(joint, "axis"));
  return own?.normalize().applyQuaternion(rotation(end));
}

export class JointSymbols {
  readonly solids: Solid[] = [];
  private readonly r: number;

  constructor(
    private readonly scene: Scene,
    private readonly layer_height: number,
    private readonly poses: Poses,
    private readonly rows: number,
    private readonly up: THREE.Vector3,
  ) {
    this.r = scene.bar_width;
    for (const joint of scene.joints) {
      const grounded = joint.ends.some((end) => end.body < 0);
      if (joint.ends.length < 2 || (scene.joints.length > most_pins && !grounded)) continue;
      if (scene.space === "planar") this.planar(joint, planar_kinds[joint.type] ?? "pin");
      else this.spatial(joint, spatial_kinds[joint.type] ?? "ball");
    }
    if (scene.space === "planar") for (const force of scene.forces) this.anchor(force);
    for (const leg of jacks(scene)) this.jack(leg);
  }

  /** Balls at the ends of a leg, on feet where they stand on the ground. */
  private jack(leg: Item): void {
    if (this.scene.space === "planar") {
      this.planar(leg, "rod");
      return;
    }
    this.spatial(leg, "rod");
    for (const end of leg.ends) if (end.body < 0) this.foot(end);
  }

  /** A wall behind the ground end of a spring. */
  private anchor(force: Item): void {
    const [a, b] = force.ends;
    if (!b || /rotational/.test(force.type) || (a.body < 0) === (b.body < 0)) return;
    const [fixed, moving] = a.body < 0 ? [a, b] : [b, a];
    this.poses.place(moving.body, 0, 0);
    const point = new THREE.Vector3();
    this.world(moving, point);
    point.sub(vector(fixed.position));
    // The strokes point away from the spring.
    this.hatch(fixed, new THREE.Vector3(), Math.atan2(point.y, point.x) - Math.PI / 2, 3.2 * this.r);
    this.pin(moving, this.layer(moving), this.layer(moving), 0.8);
  }

  private add(key: GeometryKey, end: End, local: THREE.Matrix4, tint: Tint): void {
    this.solids.push({ key, body: end.body, local, tint });
  }

  private layer(end: End): number {
    return end.body < 0 ? -1 : (this.scene.bodies[end.body].layer ?? 0);
  }

  // --- planar

  private planar(joint: Item, symbol: PlanarSymbol): void {
    const [a, b] = joint.ends;
    const grounded = joint.ends.find((end) => end.body < 0);
    switch (symbol) {
      case "none":
      // Curves, rollers and faces are parts of their bodies.
      case "roller_on_cam":
      case "face_on_cam":
      case "profiles":
        return;
      case "rail":
        this.rail(joint);
        return;
      case "slot":
        // The slot is cut into the first body; the pin stands on the second.
        this.rail(joint, a, b);
        this.pin(b, this.layer(a), this.layer(b), 0.8);
        return;
      case "follower":
        this.pin(b, this.layer(b), this.layer(b), 0.8);
        return;
      case "rod":
        for (const end of joint.ends) this.pin(end, this.layer(end), this.layer(end), 0.6);
        break;
      case "pin":
        this.pin(b, this.layer(a), this.layer(b), 1);
        break;
      case "support":
        break;
      default:
        symbol satisfies never;
    }
    if (grounded) this.support(grounded);
  }

  /** Through all layers between the two bodies, standing out a little. */
  private pin(end: End, from: number, to: number, size: number): void {
    const own = this.layer(end);
    const low = (Math.min(from, to) - own - 0.5) * this.layer_height;
    const high = (Math.max(from, to) - own + 0.55) * this.layer_height;
    const middle = vector(end.position).add(new THREE.Vector3(0, 0, (low + high) / 2));
    const r = 0.27 * this.r * size;
    this.add("cylinder", end, along(z_axis, middle, [r, r, high - low]), "pin");
    const top = vector(end.position).add(new THREE.Vector3(0, 0, high));
    this.add("cylinder", end, along(z_axis, top, [0.28 * r, 0.28 * r, 0.02 * this.r]), "ground");
  }

  private support(end: End): void {
    const s = 1.5 * this.r;
    const z = -this.layer_height;
    const position = vector(end.position);
    const place = (x: number, y: number, angle: number, sx: number, sy: number): THREE.Matrix4 =>
      new THREE.Matrix4().compose(
        position.clone().add(new THREE.Vector3(x, y, z)),
        new THREE.Quaternion().setFromAxisAngle(z_axis, angle),
        new THREE.Vector3(sx, sy, 0.4 * this.layer_height),
      );
    this.add("wedge", end, place(0, 0, 0, s, s), "ground");
    this.hatch(end, new THREE.Vector3(0, -1.0 * s, z), 0, 2.1 * s);
  }

  /** A line with strokes below it: the ground. */
  private hatch(end: End, at: THREE.Vector3, angle: number, length: number): void {
    const frame = new THREE.Matrix4().compose(
      vector(end.position).add(at),
      new THREE.Quaternion().setFromAxisAngle(z_axis, angle),
      new THREE.Vector3(1, 1, 1),
    );
    const t = 0.08 * this.r;
    const stroke = (x: number, y: number, turn: number, l: number): void => {
      const local = frame
        .clone()
        .multiply(new THREE.Matrix4().makeTranslation(x, y, 0))
        .multiply(new THREE.Matrix4().makeRotationZ(turn))
        .multiply(new THREE.Matrix4().makeScale(l, t, 0.2 * this.layer_height));
      this.add("box", end, local, "ground");
    };
    stroke(0, 0, 0, length);
    const step = 0.42 * this.r;
    const count = Math.min(200, Math.max(3, Math.round(length / step)));
    for (let i = 0; i < count; ++i) {
      const x = -length / 2 + ((i + 0.5) * length) / count;
      stroke(x - 0.16 * this.r, -0.2 * this.r, Math.PI / 4, 0.5 * this.r);
    }
  }

  /** On the ground where one end stands there, else on the first body. */
  private rail(joint: Item, on?: End, along_it?: End): void {
    const a = on ?? joint.ends.find((end) => end.body < 0) ?? joint.ends[0];
    const b = along_it ?? (a === joint.ends[0] ? joint.ends[1] : joint.ends[0]);
    const axis = joint_axis(joint, a, true) ?? new THREE.Vector3(1, 0, 0);
    const [low, high] = this.travel(a, b, axis);
    const reach = this.half_height(b);
    const angle = Math.atan2(axis.y, axis.x);
    const middle = axis.clone().multiplyScalar((low + high) / 2);
    const length = high - low + 5 * this.r;
    if (a.body < 0) {
      const below = new THREE.Vector3(axis.y, -axis.x, 0).multiplyScalar(reach + 0.1 * this.r);
      this.hatch(a, middle.clone().add(below).setZ(-this.layer_height), angle, length);
      return;
    }
    const t = 0.25 * this.r;
    const local = along(axis, vector(a.position).add(middle), [t, t, length]);
    this.add("cylinder", a, local, "ground");
  }

  /** How far a block reaches across its rail. */
  private half_height(end: End): number {
    if (end.body < 0) return 0;
    const box = this.scene.bodies[end.body].parts.find((part) => part.kind === "box");
    return box ? box.size[1] / 2 : 0.5 * this.r;
  }

  /** Lowest and highest position of b along the axis of a, over the recorded rows. */
  private travel(a: End, b: End, axis: THREE.Vector3): [number, number] {
    const point = new THREE.Vector3();
    let low = Infinity;
    let high = -Infinity;
    const step = Math.max(1, Math.floor(this.rows / 400));
    for (let row = 0; row < this.rows; row += step) {
      for (const end of [a, b]) if (end.body >= 0) this.poses.place(end.body, row, 0);
      const s = this.relative(a, b, point).dot(axis);
      low = Math.min(low, s);
      high = Math.max(high, s);
    }
    return low <= high ? [low, high] : [0, 0];
  }

  private relative(a: End, b: End, point: THREE.Vector3): THREE.Vector3 {
    this.world(b, point);
    if (a.body >= 0) {
      point.sub(new THREE.Vector3().fromArray(this.poses.positions, 3 * a.body));
      point.applyQuaternion(new THREE.Quaternion().fromArray(this.poses.rotations, 4 * a.body).conjugate());
    }
    return point.sub(vector(a.position));
  }

  private world(end: End, point: THREE.Vector3): void {
    point.copy(vector(end.position));
    if (end.body < 0) return;
    point.applyQuaternion(new THREE.Quaternion().fromArray(this.poses.rotations, 4 * end.body));
    point.add(new THREE.Vector3().fromArray(this.poses.positions, 3 * end.body));
  }

  // --- spatial

  private spatial(joint: Item, symbol: SpatialSymbol): void {
    const [a, b] = joint.ends;
    const r = 0.62 * this.r;
    const grounded = joint.ends.find((end) => end.body < 0);
    const axis = joint_axis(joint, b, false) ?? z_axis.clone();
    const at = vector(b.position);
    switch (symbol) {
      case "axle":
      case "sleeve":
        this.add("cylinder", b, along(axis, at, [r, r, 2.8 * r]), "pin");
        if (symbol === "sleeve") this.guide(a, b, joint);
        else if (grounded) this.bearing(grounded, joint_axis(joint, grounded, false) ?? axis);
        break;
      case "guide":
        this.guide(a, b, joint);
        break;
      case "cross": {
        const first = joint_axis(joint, a, false) ?? z_axis.clone();
        this.add("cylinder", b, along(axis, at, [0.45 * r, 0.45 * r, 3 * r]), "pin");
        this.add("cylinder", a, along(first, vector(a.position), [0.45 * r, 0.45 * r, 3 * r]), "pin");
        if (grounded) this.foot(grounded);
        break;
      }
      case "block": {
        const cube = matrix_of(b).multiply(new THREE.Matrix4().makeScale(1.6 * r, 1.6 * r, 1.6 * r));
        this.add("box", b, cube, "ground");
        break;
      }
      case "none":
      case "wires":
        break;
      case "rod":
      case "ball":
      case "bead":
      case "socket":
        for (const end of symbol === "rod" ? joint.ends : [b]) {
          const size = symbol === "rod" ? 0.7 * r : 1.15 * r;
          this.add("sphere", end, along(z_axis, vector(end.position), [size, size, size]), "pin");
        }
        if (grounded && symbol === "socket") this.foot(grounded);
        break;
      default:
        symbol satisfies never;
    }
  }

  /** A rod along which the second body slides. */
  private guide(a: End, b: End, joint: Item): void {
    const axis = joint_axis(joint, a, false) ?? z_axis.clone();
    const [low, high] = this.travel(a, b, axis);
    const middle = vector(a.position).addScaledVector(axis, (low + high) / 2);
    const t = 0.22 * this.r;
    const length = high - low + 0.3 * this.scene.size;
    this.add("cylinder", a, along(axis, middle, [t, t, length]), "ground");
  }

  /** Two cheeks that hold the pin of a hinge with the ground. */
  private bearing(end: End, axis: THREE.Vector3): void {
    const r = 0.62 * this.r;
    for (const side of [-1, 1]) {
      const at = vector(end.position).addScaledVector(axis, side * 1.75 * r);
      this.add("cylinder", end, along(axis, at, [1.7 * r, 1.7 * r, 0.7 * r]), "ground");
    }
  }

  /** A conical foot below a joint with the ground. */
  private foot(end: End): void {
    const h = 2.2 * this.r;
    const base = vector(end.position).addScaledVector(this.up, -h);
    this.add("cone", end, along(this.up, base, [1.1 * this.r, 1.1 * this.r, h]), "ground");
    this.add("cylinder", end, along(this.up, base, [1.5 * this.r, 1.5 * this.r, 0.2 * this.r]), "ground");
  }
}
