// Gears and belts: what a coupling of two angles looks like. Their radii follow from the distance of the shafts and the ratio
// b = ratio a: wheels that mesh turn against each other (ratio < 0) and have r_a + r_b = distance, r_a / r_b = -ratio; wheels
// that turn the same way run on a belt, with radii in that proportion that leave room between them.
import * as THREE from "three";
import type { End, Item, Scene } from "../data/format";
import { joint_axis } from "./joints";
import type { WorldPoint } from "./links";
import { Lines } from "./lines";

const segments = 144;
const belt_room = 0.62; // of the distance, for both radii

interface Wheel {
  end: End;
  axis: THREE.Vector3;
  radius: number;
  teeth: number;
}

interface Pair {
  a: Wheel;
  b: Wheel;
  belt: boolean;
}

function value_of(item: Item, name: string): unknown {
  return item.values?.find(([key]) => key === name)?.[1];
}

export class Gears {
  readonly lines: Lines;
  private readonly pairs: Pair[] = [];
  private readonly points: Float32Array;

  constructor(
    private readonly scene: Scene,
    world: WorldPoint,
    private readonly lift: number,
  ) {
    for (const coupling of scene.couplings ?? []) if (coupling.type === "gear") this.add(coupling, world);
    const wheels = 2 * segments * this.pairs.length;
    this.points = new Float32Array(6 * (wheels + 2 * this.pairs.filter(({ belt }) => belt).length));
    this.lines = new Lines(this.points.slice());
    this.lines.mesh.visible = this.pairs.length > 0;
  }

  get count(): number {
    return this.pairs.length;
  }

  private add(coupling: Item, world: WorldPoint): void {
    const names = value_of(coupling, "coordinates");
    const ratio = value_of(coupling, "ratio");
    if (!Array.isArray(names) || names.length !== 2 || typeof ratio !== "number" || ratio === 0) return;
    const wheels = names.map((name) => this.wheel(String(name)));
    const [a, b] = wheels;
    if (!a || !b) return;
    const distance = world(a.end, new THREE.Vector3()).distanceTo(world(b.end, new THREE.Vector3()));
    if (!(distance > 1e-3 * this.scene.size)) return;
    const belt = ratio > 0;
    const both = distance * (belt ? belt_room : 1);
    a.radius = (both * Math.abs(ratio)) / (1 + Math.abs(ratio));
    b.radius = both / (1 + Math.abs(ratio));
    // As many teeth as the smaller wheel can show, in the proportion of the radii.
    const small = Math.min(a.radius, b.radius);
    for (const wheel of [a, b]) wheel.teeth = belt ? 0 : Math.min(segments / 2, Math.max(4, Math.round((9 * wheel.radius) / small)));
    this.pairs.push({ a, b, belt });
  }

  /** Points around all wheels. */
  reach(world: WorldPoint): THREE.Vector3[] {
    const sides = [1, -1].flatMap((s) => [new THREE.Vector3(s, 0, 0), new THREE.Vector3(0, s, 0)]);
    return this.pairs.flatMap(({ a, b }) => [a, b]).flatMap(({ end, radius }) => sides.map((side) => world(end, new THREE.Vector3()).addScaledVector(side, 1.1 * radius)));
  }

  /** Of a joint that turns: "shaft.angle". */
  private wheel(coordinate: string): Wheel | undefined {
    const joint = this.scene.joints.find(({ name }) => coordinate === `${name}.angle`);
    const end = joint?.ends[1];
    const axis = joint && end && joint_axis(joint, end, this.scene.space === "planar");
    return axis && end.body >= 0 ? { end, axis, radius: 0, teeth: 0 } : undefined;
  }

  place(world: WorldPoint, rotations: Float64Array): void {
    let at = 0;
    const put = (from: THREE.Vector3, to: THREE.Vector3): void => {
      from.toArray(this.points, at);
      to.toArray(this.points, at + 3);
      at += 6;
    };
    for (const { a, b, belt } of this.pairs) {
      const centers = [a, b].map((wheel) => {
        const center = world(wheel.end, new THREE.Vector3());
        center.z += this.lift;
        const rim = this.rim(wheel, center, new THREE.Quaternion().fromArray(rotations, 4 * wheel.end.body));
        for (let i = 0; i < segments; ++i) put(rim[i], rim[i + 1]);
        return center;
      });
      if (belt) for (const [from, to] of this.tangents(a, b, centers, rotations)) put(from, to);
    }
    this.lines.update(this.points);
  }

  private rim({ axis, radius, teeth }: Wheel, center: THREE.Vector3, turn: THREE.Quaternion): THREE.Vector3[] {
    const normal = axis.clone().applyQuaternion(turn);
    const across = new THREE.Vector3(1, 0, 0);
    if (Math.abs(axis.x) > 0.9) across.set(0, 1, 0);
    across.addScaledVector(axis, -across.dot(axis)).normalize().applyQuaternion(turn);
    const up = normal.clone().cross(across);
    const depth = teeth ? Math.min(0.12, 1.2 / teeth) : 0;
    return Array.from({ length: segments + 1 }, (_, i) => {
      const angle = (2 * Math.PI * i) / segments;
      const r = radius * (1 + depth * Math.sign(Math.sin(teeth * angle + 1e-9)));
      // A wheel without teeth has a spoke, which shows how it turns.
      const reach = !teeth && i === 0 ? 0 : r;
      return center.clone().addScaledVector(across, reach * Math.cos(angle)).addScaledVector(up, reach * Math.sin(angle));
    });
  }

  /** The free parts of an open belt. */
  private tangents(a: Wheel, b: Wheel, [from, to]: THREE.Vector3[], rotations: Float64Array): [THREE.Vector3, THREE.Vector3][] {
    const way = to.clone().sub(from);
    const distance = way.length();
    way.divideScalar(distance);
    const normal = a.axis.clone().applyQuaternion(new THREE.Quaternion().fromArray(rotations, 4 * a.end.body));
    const side = normal.cross(way).normalize();
    const slope = (a.radius - b.radius) / distance;
    const height = Math.sqrt(Math.max(0, 1 - slope * slope));
    return [1, -1].map((sign) => {
      const out = way.clone().multiplyScalar(slope).addScaledVector(side, sign * height);
      return [from.clone().addScaledVector(out, a.radius), to.clone().addScaledVector(out, b.radius)] as [THREE.Vector3, THREE.Vector3];
    });
  }
}
