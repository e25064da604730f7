// One pair of axes with any number of channels, over time or over another channel; channels of another unit get an
// axis on the right.
import uPlot from "uplot";
import { visible_window } from "../data/decimate";
import { value_at, type Run } from "../data/run";
import type { Playback } from "../playback";
import type { Theme } from "../theme";
import { download, h, icon, icon_button, set_pressed } from "./dom";
import { number_text, unit_text } from "./numbers";
import { panel_csv, panel_png } from "./plot_export";
import { statistics_table } from "./plot_statistics";
import { draw_path, nearest_time, path_data, range_of } from "./xy";

export interface PlotContext {
  runs: Run[];
  playback: Playback;
  theme: Theme;
  /** visible times, shared by all panels; null means everything */
  range: [number, number] | null;
  /** drawn for paper: with twice the points per length, which the style sheet takes back */
  paper?: boolean;
  set_range(range: [number, number] | null): void;
}

export interface PanelOptions {
  title?: string;
  removable?: boolean;
  logarithmic?: boolean;
  height?: number;
  on_remove?: (panel: PlotPanel) => void;
  on_focus?: (panel: PlotPanel) => void;
}

/** A channel, or an edge of its band. */
interface Line {
  name: string;
  column: Float64Array;
  edge?: "upper" | "lower";
}

const points_per_pixel = 2;

export class PlotPanel {
  readonly element: HTMLElement;
  readonly names: string[] = [];
  plot: uPlot | undefined;
  logarithmic: boolean;
  private readonly chips = h("div", { class: "chips" });
  private readonly body = h("div", { class: "plot-body" });
  private readonly now = h("div", { class: "now", "aria-hidden": "true" });
  private readonly hint = h("p", { class: "drop-hint" }, "Drag channels here, or click them in the tree.");
  private readonly numbers = h("div", { class: "numbers" });
  private readonly dots: HTMLElement[] = [];
  /** the channel along the x axis; undefined: time */
  private along: string | undefined;
  private with_numbers = false;
  /** under the cursor, s */
  private pointed: number | undefined;
  private values: { element: HTMLElement; name: string; run: Run }[] = [];
  private readonly log_button: HTMLButtonElement;

  constructor(
    private readonly context: PlotContext,
    private readonly options: PanelOptions = {},
  ) {
    this.logarithmic = options.logarithmic ?? false;
    this.log_button = h(
      "button",
      { class: "tool text", type: "button", title: "Logarithmic scale", onclick: () => this.toggle_log() },
      "log",
    );
    set_pressed(this.log_button, this.logarithmic);
    const numbers_button = h(
      "button",
      { class: "tool text", type: "button", title: "Least, largest, mean and rms of what is visible", "aria-label": "Numbers" },
      "min max",
    );
    numbers_button.addEventListener("click", () => {
      this.with_numbers = !this.with_numbers;
      set_pressed(numbers_button, this.with_numbers);
      this.write_numbers();
    });
    const tools = h(
      "div",
      { class: "plot-tools" },
      numbers_button,
      this.log_button,
      icon_button("table", "Save as CSV", () => this.save_csv()),
      icon_button("image", "Save as PNG", () => void this.save_png()),
      options.removable !== false && icon_button("close", "Remove this plot", () => options.on_remove?.(this)),
    );
    this.element = h(
      "section",
      { class: "plot", tabindex: "-1", "aria-label": options.title ?? "Plot" },
      h("header", {}, options.title ? h("h3", {}, options.title) : this.chips, tools),
      options.title ? this.chips : null,
      this.body,
      this.numbers,
    );
    if (options.height) this.body.style.height = `${options.height}px`;
    this.body.append(this.hint);
    this.watch_drops();
    this.element.addEventListener("pointerdown", () => options.on_focus?.(this));
    new ResizeObserver(() => this.resize()).observe(this.body);
  }

  private watch_drops(): void {
    if (this.options.removable === false) return;
    this.element.addEventListener("dragover", (event) => {
      if (!event.dataTransfer?.types.includes("text/plain")) return;
      event.preventDefault();
      this.element.classList.add("drop");
    });
    this.element.addEventListener("dragleave", () => this.element.classList.remove("drop"));
    this.element.addEventListener("drop", (event) => {
      event.preventDefault();
      this.element.classList.remove("drop");
      const names = event.dataTransfer?.getData("text/plain").split("\n") ?? [];
      this.add(names.filter((name) => this.context.runs[0].channel(name)));
    });
  }

  add(names: string[]): void {
    for (const name of names) if (!this.names.includes(name)) this.names.push(name);
    this.rebuild();
  }
  remove(name: string): void {
    this.names.splice(this.names.indexOf(name), 1);
    this.rebuild();
  }
  /** Over another channel, or over time again. */
  set_along(name: string | undefined): void {
    this.along = name;
    if (name && this.names.includes(name) && this.names.length > 1) this.names.splice(this.names.indexOf(name), 1);
    this.rebuild();
  }
  private toggle_log(): void {
    this.logarithmic = !this.logarithmic;
    set_pressed(this.log_button, this.logarithmic);
    this.rebuild();
  }

  /** The columns of a plot over time: channels, each followed by the edges of its band where it has one. */
  private lines(run: Run): Line[] {
    return this.columns(run).flatMap(({ name, column }) => {
      const edges = this.logarithmic || this.along ? undefined : run.edges(name);
      const line: Line = { name, column };
      return edges ? [line, { name, column: edges[0], edge: "upper" }, { name, column: edges[1], edge: "lower" }] : [line];
    });
  }
  /** Channels that exist in a run, in the order of the panel. */
  private columns(run: Run): { name: string; column: Float64Array }[] {
    return this.names.flatMap((name) => {
      const column = run.column(name);
      return column ? [{ name, column }] : [];
    });
  }
  private unit(name: string): string {
    return this.context.runs[0].channel(name)?.unit ?? "";
  }
  color(name: string): string {
    const { lines } = this.context.theme;
    return lines[this.names.indexOf(name) % lines.length];
  }

  rebuild(): void {
    this.plot?.destroy();
    this.plot = undefined;
    this.write_chips();
    this.hint.hidden = this.names.length > 0;
    if (this.names.length && this.body.clientWidth) this.build();
    this.write_numbers();
  }

  private write_numbers(): void {
    const shown = (this.with_numbers || this.context.paper) && this.names.length > 0;
    const listed = this.names.map((name) => ({ name, unit: this.unit(name), color: this.color(name) }));
    this.numbers.replaceChildren(...(shown ? [statistics_table(this.context.runs, listed, this.visible())] : []));
  }

  private build(): void {
    const { theme } = this.context;
    const units = [...new Set(this.names.map((name) => this.unit(name)))];
    const grid = { stroke: theme.css("plot-grid"), width: 1 };
    const scale = this.scale;
    const axis = { stroke: theme.css("ink-2"), grid, ticks: { show: false }, font: this.font };
    const { along } = this;
    const scales: uPlot.Scales = {
      x: { time: false, range: () => (along ? range_of(this.context.runs, along, this.visible()) : this.visible()) },
    };
    const title = along ? { label: axis_title(along, this.unit(along)), labelSize: 15 * scale, labelGap: 0, labelFont: this.font } : {};
    const axes: uPlot.Axis[] = [{ ...axis, ...title, size: 24 * scale, gap: 3 * scale, space: 50 * scale }];
    units.forEach((unit, i) => {
      scales[`y:${unit}`] = { distr: this.logarithmic ? 3 : 1, ...(this.logarithmic ? {} : { range: padded }) };
      if (i < 2) axes.push({ ...axis, ...this.y_axis(unit, i) });
    });
    const series: uPlot.Series[] = [{}];
    const bands: uPlot.Band[] = [];
    this.context.runs.forEach((run, r) => {
      for (const { name, edge } of this.lines(run)) {
        if (edge) {
          if (edge === "lower") bands.push({ series: [series.length - 1, series.length], fill: `${this.color(name)}40` });
          series.push({ label: edge, scale: `y:${this.unit(name)}`, width: 0, points: { show: false }, spanGaps: true });
          continue;
        }
        series.push({
          label: name,
          scale: `y:${this.unit(name)}`,
          stroke: this.color(name),
          width: 1.6 * scale,
          dash: r > 0 ? [5 * scale, 4 * scale] : undefined,
          points: { show: false },
          // Not rounded to whole pixels, which would make stairs of a gentle slope.
          pxAlign: 0,
          spanGaps: true,
          ...(along ? { facets: [{ scale: "x", auto: true }, { scale: `y:${this.unit(name)}`, auto: true }], paths: draw_path } : {}),
        } as uPlot.Series);
      }
    });
    const options: uPlot.Options = {
      mode: along ? 2 : 1,
      width: this.width(),
      height: this.height(),
      legend: { show: false },
      padding: [8 * scale, units.length > 1 ? 0 : 12 * scale, 0, 0],
      scales,
      axes,
      series,
      bands,
      cursor: {
        ...(along ? {} : { sync: { key: "trammel" } }),
        drag: { x: !along, y: false, setScale: false, dist: 6 },
        points: { size: (u, i) => (u.series[i].width === 0 ? 0 : 6), show: !along },
        bind: { dblclick: () => () => (this.context.set_range(null), null) },
      },
      hooks: {
        setSelect: [(u) => this.select_range(u)],
        setCursor: [(u) => this.point(u)],
        ready: [(u) => this.add_marks(u)],
        draw: [() => this.set_time()],
      },
    };
    this.plot = new uPlot(options, this.data(), this.body);
    this.watch_clicks(this.plot);
  }

  private get scale(): number {
    return this.context.paper ? 2 : 1;
  }
  private get font(): string {
    return `${11 * this.scale}px Inter, system-ui, sans-serif`;
  }

  /** What moves with time: a line, or a dot on every path of the first run. */
  private add_marks(u: uPlot): void {
    if (!this.along) u.over.append(this.now);
    this.dots.length = 0;
    if (!this.along) return;
    for (const { name } of this.columns(this.context.runs[0])) this.dots.push(h("i", { class: "dot", style: `background:${this.color(name)}` }));
    u.over.append(...this.dots);
    queueMicrotask(() => this.set_time());
  }

  /** Values under the cursor, else those at the time of the animation. */
  private point(u: uPlot): void {
    const { left } = u.cursor;
    const pointed = this.along || left === undefined || left < 0 ? undefined : u.posToVal(left, "x");
    if (pointed === this.pointed) return;
    this.pointed = pointed;
    this.write_values();
  }

  private y_axis(unit: string, i: number): uPlot.Axis {
    const { scale } = this;
    return {
      scale: `y:${unit}`,
      side: i === 0 ? 3 : 1,
      size: (_, values) => 10 * scale + Math.max(34 * scale, ...(values ?? []).map((text) => text_width(text, this.font))),
      gap: 4 * scale,
      space: 30 * scale,
      label: unit_text(unit) || "–",
      labelSize: 15 * scale,
      labelGap: 0,
      labelFont: this.font,
      values: (_, ticks) => ticks.map((tick) => (tick == null ? "" : number_text(tick, 4))),
      ...(i > 0 ? { grid: { show: false } } : {}),
    };
  }

  private width(): number {
    return this.body.clientWidth * this.scale;
  }
  private height(): number {
    return this.scale * (this.options.height ?? Math.max(120, this.body.clientHeight));
  }

  private visible(): [number, number] {
    const { range, playback } = this.context;
    const [from, to] = range ?? [playback.start, playback.end];
    return to > from ? [from, to] : [from - 0.5, from + 0.5];
  }

  private data(): uPlot.AlignedData {
    if (this.along) {
      const paths = this.context.runs.flatMap((run) => this.columns(run).map(({ name }) => path_data(run, this.along!, name, this.visible())));
      return [null, ...paths] as unknown as uPlot.AlignedData;
    }
    const [from, to] = this.visible();
    const points = points_per_pixel * Math.max(200, this.width());
    const tables = this.context.runs.map((run) => {
      const columns = this.lines(run).map(({ column }) => column);
      const { x, y } = visible_window(run.time, columns, from, to, points);
      const shown = y.map((values) => Array.from(values, (v) => (this.logarithmic && !(v > least_on_logarithmic_axes) ? null : Number.isFinite(v) ? v : null)));
      return [Array.from(x), ...shown] as unknown as uPlot.AlignedData;
    });
    return tables.length > 1 ? uPlot.join(tables) : tables[0];
  }

  /** After the visible range or the data have changed. */
  refresh(): void {
    this.write_chips();
    this.plot?.setData(this.data(), true);
    this.write_numbers();
  }

  private select_range(u: uPlot): void {
    if (u.select.width < 6) return;
    const from = u.posToVal(u.select.left, "x");
    const to = u.posToVal(u.select.left + u.select.width, "x");
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.context.set_range([from, to]);
  }

  private watch_clicks(u: uPlot): void {
    let down = 0;
    u.over.addEventListener("pointerdown", (event) => (down = event.clientX));
    u.over.addEventListener("pointerup", (event) => {
      if (Math.abs(event.clientX - down) > 4) return;
      const { left, top } = u.over.getBoundingClientRect();
      const at = event.clientX - left;
      this.context.playback.seek(this.along ? this.nearest(u, at, event.clientY - top) : u.posToVal(at, "x"));
    });
    u.over.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !event.shiftKey) return;
        event.preventDefault();
        const [from, to] = this.visible();
        const at = u.posToVal(event.clientX - u.over.getBoundingClientRect().left, "x");
        const factor = (event.deltaY || event.deltaX) > 0 ? 1.25 : 0.8;
        const { start, end } = this.context.playback;
        const next: [number, number] = [Math.max(start, at + (from - at) * factor), Math.min(end, at + (to - at) * factor)];
        this.context.set_range(next[1] - next[0] >= end - start ? null : next);
      },
      { passive: false },
    );
  }

  private nearest(u: uPlot, left: number, top: number): number {
    const names = this.names.map((name) => ({ name, scale: `y:${this.unit(name)}` }));
    return nearest_time(u, this.context.runs[0], this.along!, names, left, top);
  }

  private write_chips(): void {
    this.values = [];
    const { runs } = this.context;
    this.chips.replaceChildren(
      ...this.names.map((name) => {
        const value = h("output", {});
        runs.forEach((run, r) => {
          const element = h("span", { class: `run-${r}`, title: run.label });
          if (!run.column(name)) return;
          value.append(element);
          this.values.push({ element, name, run });
        });
        const dot = h("i", { style: `background:${this.color(name)}` });
        const remove =
          this.options.removable !== false &&
          h("button", { type: "button", "aria-label": `Remove ${name}`, onclick: () => this.remove(name) }, icon("close"));
        const along =
          this.options.removable !== false &&
          h("button", { class: "along", type: "button", title: "Along the x axis", "aria-label": `${name} along the x axis`, onclick: () => this.set_along(name) }, "→x");
        return h("span", { class: "chip", title: runs[0].channel(name)?.description ?? "" }, dot, name, value, remove, along);
      }),
      ...(this.along ? [this.along_chip(this.along)] : []),
    );
    this.set_time();
  }

  private along_chip(name: string): HTMLElement {
    const back = h("button", { type: "button", "aria-label": "Over time again", title: "Over time again", onclick: () => this.set_along(undefined) }, icon("close"));
    return h("span", { class: "chip x-axis" }, `over ${name}`, back);
  }

  private write_values(): void {
    const time = this.pointed ?? this.context.playback.time;
    for (const { element, name, run } of this.values) {
      const band = run.band(name);
      const within = band ? ` ± ${number_text(value_at(run.time, band, time), 2)}` : "";
      element.textContent = number_text(value_at(run.time, run.column(name)!, time), 4) + within;
    }
  }

  private place_dots(): void {
    const { playback, runs } = this.context;
    const [run] = runs;
    const at = (name: string): number => value_at(run.time, run.column(name)!, playback.time);
    this.columns(run).forEach(({ name }, i) => {
      const x = this.plot!.valToPos(at(this.along!), "x");
      const y = this.plot!.valToPos(at(name), `y:${this.unit(name)}`);
      this.dots[i].style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    });
  }

  set_time(): void {
    const { playback } = this.context;
    this.write_values();
    if (!this.plot) return;
    if (this.along) {
      if (this.dots.length) this.place_dots();
      return;
    }
    const [from, to] = this.visible();
    const inside = playback.time >= from && playback.time <= to;
    this.now.hidden = !inside;
    if (inside) this.now.style.transform = `translateX(${this.plot.valToPos(playback.time, "x").toFixed(1)}px)`;
  }

  private resize(): void {
    if (!this.names.length || !this.body.clientWidth) return;
    if (!this.plot) this.build();
    else if (this.plot.width !== this.width() || this.plot.height !== this.height()) {
      this.plot.setSize({ width: this.width(), height: this.height() });
      this.refresh();
    }
  }

  private save_csv(): void {
    const { runs } = this.context;
    download("plot.csv", panel_csv(runs, this.names));
  }
  private async save_png(): Promise<void> {
    if (!this.plot) return;
    const entries = this.names.map((name) => ({ name, unit: this.unit(name), color: this.color(name) }));
    const picture = await panel_png(this.plot.ctx.canvas, entries, this.context.theme);
    if (picture) download("plot.png", picture);
  }
}

const measure = document.createElement("canvas").getContext("2d")!;

/** px */
/** Below this uPlot has no ticks and looks for them without end; no number of a run means anything there. */
const least_on_logarithmic_axes = 1e-24;

function text_width(text: string, font: string): number {
  measure.font = font;
  return measure.measureText(text).width;
}

function axis_title(name: string, unit: string): string {
  return unit ? `${name}, ${unit_text(unit)}` : name;
}

/** A little room above and below; a constant is shown as a line in the middle. */
function padded(_: uPlot, low: number | null, high: number | null): uPlot.Range.MinMax {
  if (low == null || high == null) return [0, 1];
  const span = high - low;
  const scale = Math.max(Math.abs(low), Math.abs(high));
  if (span <= 1e-12 * scale || span === 0) return [low - (scale || 1) * 0.5, high + (scale || 1) * 0.5];
  return [low - 0.06 * span, high + 0.06 * span];
}
