// Where every body is at a time, between two recorded rows.
import type { Body } from "./format";
import { interval_of, type Run } from "./run";

type Column = Float64Array | undefined;

interface BodyColumns {
  position: [Column, Column, Column];
  angle: Column;
  orientation: [Column, Column, Column, Column] | undefined;
}

function columns_of(run: Run, body: Body): BodyColumns {
  const column = (name: string): Column => run.frame_column(`${body.name}.${name}`);
  const e = ["e0", "e1", "e2", "e3"].map((name) => column(`orientation.${name}`));
  return {
    position: [column("position.x"), column("position.y"), column("position.z")],
    angle: column("angle"),
    orientation: e.every((c) => c) ? (e as [Column, Column, Column, Column]) : undefined,
  };
}

export class Poses {
  /** x, y, z of each body */
  readonly positions: Float64Array;
  /** x, y, z, w of each body (three.js order) */
  readonly rotations: Float64Array;
  /** Bodies whose motion was not recorded stay where the model puts them. */
  readonly moving: boolean[];
  private readonly bodies: BodyColumns[];

  constructor(
    private readonly run: Run,
    private readonly described: Body[],
  ) {
    this.bodies = described.map((body) => columns_of(run, body));
    this.moving = this.bodies.map((columns) => columns.position[0] !== undefined);
    this.positions = new Float64Array(3 * described.length);
    this.rotations = new Float64Array(4 * described.length);
    this.set_time(run.start);
  }

  set_time(t: number): void {
    const time = this.run.frame_time;
    const i = time.length > 1 ? interval_of(time, t) : 0;
    const step = time.length > 1 ? time[i + 1] - time[i] : 0;
    const s = step > 0 ? Math.min(1, Math.max(0, (t - time[i]) / step)) : 0;
    for (let b = 0; b < this.bodies.length; ++b) this.place(b, i, s);
  }

  /** The pose at a recorded row. */
  set_row(row: number): void {
    for (let b = 0; b < this.bodies.length; ++b) this.place(b, row, 0);
  }

  place(b: number, i: number, s: number): void {
    const columns = this.bodies[b];
    const body = this.described[b];
    const mix = (column: Column, fallback: number): number => {
      if (!column || !column.length) return fallback;
      return s > 0 ? column[i] + s * (column[i + 1] - column[i]) : column[i];
    };
    for (let k = 0; k < 3; ++k) this.positions[3 * b + k] = mix(columns.position[k], body.position?.[k] ?? 0);
    if (columns.angle) {
      const half = 0.5 * mix(columns.angle, 0);
      this.set_rotation(b, Math.cos(half), 0, 0, Math.sin(half));
    } else if (columns.orientation) {
      this.mix_orientation(b, columns.orientation, i, s);
    } else {
      const [w, x, y, z] = body.rotation ?? [1, 0, 0, 0];
      this.set_rotation(b, w, x, y, z);
    }
  }

  // Nearby rows: the straight line between Euler parameters, brought back to length one.
  private mix_orientation(b: number, columns: [Column, Column, Column, Column], i: number, s: number): void {
    const e = columns.map((column) => column![i]);
    if (s > 0) {
      const next = columns.map((column) => column![i + 1]);
      const same = e[0] * next[0] + e[1] * next[1] + e[2] * next[2] + e[3] * next[3] < 0 ? -1 : 1;
      for (let k = 0; k < 4; ++k) e[k] += s * (same * next[k] - e[k]);
    }
    const length = Math.hypot(e[0], e[1], e[2], e[3]) || 1;
    this.set_rotation(b, e[0] / length, e[1] / length, e[2] / length, e[3] / length);
  }

  private set_rotation(b: number, w: number, x: number, y: number, z: number): void {
    this.rotations[4 * b] = x;
    this.rotations[4 * b + 1] = y;
    this.rotations[4 * b + 2] = z;
    this.rotations[4 * b + 3] = w;
  }
}
