// One run: its header and its numbers, decoded when somebody asks for them.
import { newest_version, type Block, type ChannelEntry, type Header } from "./format";

export interface Channel {
  name: string;
  /** as it is shown; see Header.display */
  unit: string;
  frame: string;
  description: string;
}

/** Columns over a common time. */
class Columns {
  readonly time: Float64Array;
  private readonly entries = new Map<string, ChannelEntry>();
  private readonly decoded = new Map<string, Float64Array>();

  constructor(
    private readonly block: Block,
    private readonly bytes: ArrayBuffer,
  ) {
    this.time = new Float64Array(bytes, block.time_at, block.rows);
    for (const entry of block.channels) this.entries.set(entry[0], entry);
  }

  get(name: string): Float64Array | undefined {
    const known = this.decoded.get(name);
    if (known) return known;
    const entry = this.entries.get(name);
    if (!entry) return undefined;
    const [, at, base] = entry;
    const distance = new Float32Array(this.bytes, at, this.block.rows);
    const values = Float64Array.from(distance, (d) => base + d);
    this.decoded.set(name, values);
    return values;
  }
}

export class Run {
  channels: Channel[];
  /** channels made of others: their components */
  private readonly magnitudes = new Map<string, string[]>();
  private readonly made = new Map<string, Float64Array>();
  /** shown value per SI value */
  private readonly factors = new Map<string, number>();
  private readonly si_units = new Map<string, string>();
  private readonly samples: Columns;
  private readonly frames: Columns;
  private readonly index = new Map<string, Channel>();

  constructor(
    readonly header: Header,
    bytes: ArrayBuffer,
    /** distinguishes overlaid runs */
    readonly label: string,
  ) {
    if (header.format !== "trammel") throw new Error("These are no results of Trammel.");
    if (header.version > newest_version) {
      throw new Error("These results come from a newer version of Trammel than this viewer.");
    }
    this.samples = new Columns(header.samples, bytes);
    this.frames = header.frames ? new Columns(header.frames, bytes) : this.samples;
    this.channels = header.samples.channels.map(([name, , , kind = 0]) => {
      const [unit, frame, description] = header.kinds[kind];
      return { name, unit, frame, description };
    });
    for (const channel of this.channels) this.index.set(channel.name, channel);
    this.channels = this.channels.filter(({ name }) => !name.endsWith(".band") || !this.index.has(name.slice(0, -".band".length)));
    this.add_magnitudes();
    for (const { name, unit } of this.channels) this.si_units.set(name, unit);
    this.set_display(header.display);
  }

  /** Shows channels in these units: those of its model, or of the first of several runs. */
  set_display(display: Header["display"]): void {
    this.factors.clear();
    for (const key of [...this.made.keys()]) if (key.startsWith("shown ")) this.made.delete(key);
    for (const channel of this.channels) {
      const unit = this.si_units.get(channel.name)!;
      const shown = display?.[unit];
      channel.unit = shown?.[0] ?? unit;
      if (shown) this.factors.set(channel.name, shown[1]);
    }
  }
  private shown(key: string, name: string, values: Float64Array | undefined): Float64Array | undefined {
    const factor = this.factors.get(name);
    if (factor === undefined || !values) return values;
    let converted = this.made.get(`shown ${key}`);
    if (!converted) {
      converted = values.map((value) => factor * value);
      this.made.set(`shown ${key}`, converted);
    }
    return converted;
  }

  /** Of forces and torques: components alone do not tell how much a pin has to carry. */
  private add_magnitudes(): void {
    const with_them: Channel[] = [];
    for (const [i, channel] of this.channels.entries()) {
      with_them.push(channel);
      const stem = channel.name.slice(0, -2);
      const ends = /\.[yz]$/.test(channel.name) && this.channels[i + 1]?.name !== `${stem}.z`;
      if (!ends || !["N", "N m"].includes(channel.unit) || !this.index.has(`${stem}.x`)) continue;
      const names = ["x", "y", "z"].map((axis) => `${stem}.${axis}`).filter((name) => this.index.has(name));
      const magnitude = { ...channel, name: `${stem}.magnitude`, description: "magnitude of the vector" };
      if (this.index.has(magnitude.name)) continue;
      this.magnitudes.set(magnitude.name, names);
      this.index.set(magnitude.name, magnitude);
      with_them.push(magnitude);
    }
    this.channels = with_them;
  }

  get scene() {
    return this.header.scene;
  }
  channel(name: string): Channel | undefined {
    return this.index.get(name);
  }
  /** Times of the plots. */
  get time(): Float64Array {
    return this.samples.time;
  }
  /** As it is shown. */
  column(name: string): Float64Array | undefined {
    return this.shown(name, name, this.si_column(name));
  }
  /** In SI units, whatever is shown. */
  si_column(name: string): Float64Array | undefined {
    const parts = this.magnitudes.get(name);
    return parts ? this.magnitude(name, parts) : this.samples.get(name);
  }
  /** Of a certified run: the value is known within plus or minus so much. */
  band(name: string): Float64Array | undefined {
    return this.index.has(name) ? this.shown(`${name}.band`, name, this.samples.get(`${name}.band`)) : undefined;
  }
  /** The upper and the lower edge of the band. */
  edges(name: string): [Float64Array, Float64Array] | undefined {
    const values = this.column(name);
    const band = this.band(name);
    return values && band && [values.map((value, i) => value + band[i]), values.map((value, i) => value - band[i])];
  }
  private magnitude(name: string, parts: string[]): Float64Array {
    let values = this.made.get(name);
    if (!values) {
      const columns = parts.map((part) => this.samples.get(part)!);
      values = Float64Array.from(columns[0], (_, i) => Math.hypot(...columns.map((column) => column[i])));
      this.made.set(name, values);
    }
    return values;
  }
  /** Times of the animation; fewer than those of the plots in large runs. */
  get frame_time(): Float64Array {
    return this.frames.time;
  }
  frame_column(name: string): Float64Array | undefined {
    return this.frames.get(name);
  }
  get start(): number {
    return this.time.length ? this.time[0] : 0;
  }
  get end(): number {
    return this.time.length ? this.time[this.time.length - 1] : 0;
  }
  /** Thinned out: the report holds less than the results file. */
  get thinned(): boolean {
    return this.header.samples.rows < this.header.rows || this.header.left_out > 0;
  }
}

/** Index i with time[i] <= t < time[i + 1], kept inside. */
export function interval_of(time: Float64Array, t: number): number {
  let low = 0;
  let high = time.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (time[middle] <= t) low = middle;
    else high = middle;
  }
  return low;
}

/** Between two samples along a straight line. */
export function value_at(time: Float64Array, values: Float64Array, t: number): number {
  if (time.length < 2) return values[0] ?? NaN;
  const i = interval_of(time, t);
  const s = Math.min(1, Math.max(0, (t - time[i]) / (time[i + 1] - time[i] || 1)));
  return values[i] + s * (values[i + 1] - values[i]);
}
