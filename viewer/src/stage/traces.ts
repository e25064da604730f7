// The paths of points of bodies: what lies behind fades, what is to come is faint.
import * as THREE from "three";
import type { Poses } from "../data/poses";
import type { Palette } from "../theme";
import { Lines } from "./lines";
import { body_color, ghost_color } from "./solids";

export interface TracedPoint {
  body: number;
  /** in the body frame */
  position: THREE.Vector3;
  /** along z, m */
  lift: number;
}

const most_segments = 20000;
const longest_segment = 0.12; // of the model: beyond that, what lies between two rows is not known

export class Traces {
  readonly group = new THREE.Group();
  private readonly lines = new Map<string, { lines: Lines; point: TracedPoint }>();
  private size: [number, number, number] = [1, 1, 1];

  constructor(
    private readonly poses: Poses,
    private readonly frame_time: Float64Array,
    private readonly body_count: number,
    private readonly model_size: number,
  ) {}

  private key(point: TracedPoint): string {
    return `${point.body}:${point.position.toArray().join()}`;
  }
  has(point: TracedPoint): boolean {
    return this.lines.has(this.key(point));
  }
  get count(): number {
    return this.lines.size;
  }
  get points(): TracedPoint[] {
    return [...this.lines.values()].map(({ point }) => point);
  }

  toggle(point: TracedPoint): void {
    if (this.has(point)) this.remove(this.key(point));
    else this.add(point);
  }

  add(point: TracedPoint): void {
    if (this.has(point) || this.frame_time.length < 2) return;
    const rows = this.frame_time.length;
    const step = Math.max(1, Math.ceil(rows / most_segments));
    const path: THREE.Vector3[] = [];
    const times: number[] = [];
    const turn = new THREE.Quaternion();
    for (let row = 0; row < rows; row += step) {
      this.poses.place(point.body, row, 0);
      const p = point.position.clone().applyQuaternion(turn.fromArray(this.poses.rotations, 4 * point.body));
      path.push(p.add(new THREE.Vector3().fromArray(this.poses.positions, 3 * point.body)));
      p.z += point.lift;
      times.push(this.frame_time[row]);
    }
    // A disc that rolls away is small beside its path.
    const extent = new THREE.Box3().setFromPoints(path).getSize(new THREE.Vector3()).length();
    const longest = longest_segment * Math.max(this.model_size, Number.isFinite(extent) ? extent : 0);
    const points: number[] = [];
    const ends: number[] = [];
    for (let i = 0; i + 1 < path.length; ++i) {
      if (!(path[i].distanceTo(path[i + 1]) < longest)) continue;
      points.push(...path[i].toArray(), ...path[i + 1].toArray());
      ends.push(times[i], times[i + 1]);
    }
    const lines = new Lines(new Float32Array(points), new Float32Array(ends));
    lines.material.uniforms.memory.value = 0.5 * (times[times.length - 1] - times[0]);
    lines.set_resolution(...this.size, 1.6);
    this.lines.set(this.key(point), { lines, point });
    this.group.add(lines.mesh);
  }

  private remove(key: string): void {
    const found = this.lines.get(key);
    if (!found) return;
    this.group.remove(found.lines.mesh);
    found.lines.dispose();
    this.lines.delete(key);
  }
  clear(): void {
    for (const key of [...this.lines.keys()]) this.remove(key);
  }

  set_time(t: number): void {
    for (const { lines } of this.lines.values()) lines.material.uniforms.now.value = t;
  }
  /** In the colours of the bodies; those of overlaid runs in one colour. */
  paint(palette: Palette, ghost: number): void {
    for (const { lines, point } of this.lines.values()) {
      lines.set_color(ghost > 0 ? ghost_color(palette, ghost) : body_color(palette, point.body, this.body_count));
    }
  }
  set_resolution(width: number, height: number, ratio: number): void {
    this.size = [width, height, ratio];
    for (const { lines } of this.lines.values()) lines.set_resolution(width, height, ratio, 1.6);
  }
}
