// One pair of axes with any number of channels; channels of another unit get an axis on the right.
import uPlot from "uplot";
import { visible_window } from "../data/decimate";
import { value_at, type Run } from "../data/run";
import type { Playback } from "../playback";
import type { Theme } from "../theme";
import { download, h, icon, icon_button, set_pressed } from "./dom";
import { number_text, unit_text } from "./numbers";
import { panel_csv, panel_png } from "./plot_export";

export interface PlotContext {
  runs: Run[];
  playback: Playback;
  theme: Theme;
  /** visible times, shared by all panels; null means everything */
  range: [number, number] | null;
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
  private values: { element: HTMLElement; name: string }[] = [];
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
    const tools = h(
      "div",
      { class: "plot-tools" },
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
  private toggle_log(): void {
    this.logarithmic = !this.logarithmic;
    set_pressed(this.log_button, this.logarithmic);
    this.rebuild();
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
  }

  private build(): void {
    const { theme } = this.context;
    const units = [...new Set(this.names.map((name) => this.unit(name)))];
    const grid = { stroke: theme.css("plot-grid"), width: 1 };
    const axis = { stroke: theme.css("ink-2"), grid, ticks: { show: false }, font: "11px Inter, system-ui, sans-serif" };
    const scales: uPlot.Scales = { x: { time: false, range: () => this.visible() } };
    const axes: uPlot.Axis[] = [{ ...axis, size: 24, gap: 3 }];
    units.forEach((unit, i) => {
      scales[`y:${unit}`] = { distr: this.logarithmic ? 3 : 1, ...(this.logarithmic ? {} : { range: padded }) };
      if (i < 2) axes.push({ ...axis, ...this.y_axis(unit, i) });
    });
    const series: uPlot.Series[] = [{}];
    this.context.runs.forEach((run, r) => {
      for (const { name } of this.columns(run)) {
        series.push({
          label: name,
          scale: `y:${this.unit(name)}`,
          stroke: this.color(name),
          width: 1.6,
          dash: r > 0 ? [5, 4] : undefined,
          points: { show: false },
          spanGaps: true,
        });
      }
    });
    const options: uPlot.Options = {
      width: this.body.clientWidth,
      height: this.height(),
      legend: { show: false },
      padding: [8, units.length > 1 ? 0 : 12, 0, 0],
      scales,
      axes,
      series,
      cursor: {
        sync: { key: "trammel" },
        drag: { x: true, y: false, setScale: false, dist: 6 },
        points: { size: 6 },
        bind: { dblclick: () => () => (this.context.set_range(null), null) },
      },
      hooks: {
        setSelect: [(u) => this.select_range(u)],
        ready: [(u) => u.over.append(this.now)],
        draw: [() => this.set_time()],
      },
    };
    this.plot = new uPlot(options, this.data(), this.body);
    this.watch_clicks(this.plot);
  }

  private y_axis(unit: string, i: number): uPlot.Axis {
    return {
      scale: `y:${unit}`,
      side: i === 0 ? 3 : 1,
      size: 54,
      gap: 4,
      label: unit_text(unit) || "–",
      labelSize: 14,
      labelGap: 0,
      labelFont: "11px Inter, system-ui, sans-serif",
      values: (_, ticks) => ticks.map((tick) => (tick == null ? "" : number_text(tick, 4))),
      ...(i > 0 ? { grid: { show: false } } : {}),
    };
  }

  private height(): number {
    return this.options.height ?? Math.max(120, this.body.clientHeight);
  }

  private visible(): [number, number] {
    const { range, playback } = this.context;
    const [from, to] = range ?? [playback.start, playback.end];
    return to > from ? [from, to] : [from - 0.5, from + 0.5];
  }

  private data(): uPlot.AlignedData {
    const [from, to] = this.visible();
    const points = points_per_pixel * Math.max(200, this.body.clientWidth);
    const tables = this.context.runs.map((run) => {
      const columns = this.columns(run).map(({ column }) => column);
      const { x, y } = visible_window(run.time, columns, from, to, points);
      const shown = y.map((values) => Array.from(values, (v) => (this.logarithmic && !(v > 0) ? null : Number.isFinite(v) ? v : null)));
      return [Array.from(x), ...shown] as unknown as uPlot.AlignedData;
    });
    return tables.length > 1 ? uPlot.join(tables) : tables[0];
  }

  /** After the visible range or the data have changed. */
  refresh(): void {
    this.plot?.setData(this.data(), true);
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
      this.context.playback.seek(u.posToVal(event.clientX - u.over.getBoundingClientRect().left, "x"));
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

  private write_chips(): void {
    this.values = [];
    this.chips.replaceChildren(
      ...this.names.map((name) => {
        const value = h("output", {});
        this.values.push({ element: value, name });
        const dot = h("i", { style: `background:${this.color(name)}` });
        const remove =
          this.options.removable !== false &&
          h("button", { type: "button", "aria-label": `Remove ${name}`, onclick: () => this.remove(name) }, icon("close"));
        return h("span", { class: "chip", title: this.context.runs[0].channel(name)?.description ?? "" }, dot, name, value, remove);
      }),
    );
    this.set_time();
  }

  set_time(): void {
    const { playback, runs } = this.context;
    for (const { element, name } of this.values) {
      const column = runs[0].column(name);
      element.textContent = column ? number_text(value_at(runs[0].time, column, playback.time), 4) : "";
    }
    if (!this.plot) return;
    const [from, to] = this.visible();
    const inside = playback.time >= from && playback.time <= to;
    this.now.hidden = !inside;
    if (inside) this.now.style.transform = `translateX(${this.plot.valToPos(playback.time, "x").toFixed(1)}px)`;
  }

  private resize(): void {
    if (!this.names.length || !this.body.clientWidth) return;
    if (!this.plot) this.build();
    else if (this.plot.width !== this.body.clientWidth || this.plot.height !== this.height()) {
      this.plot.setSize({ width: this.body.clientWidth, height: this.height() });
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

/** A little room above and below; a constant is shown as a line in the middle. */
function padded(_: uPlot, low: number | null, high: number | null): uPlot.Range.MinMax {
  if (low == null || high == null) return [0, 1];
  const span = high - low;
  const scale = Math.max(Math.abs(low), Math.abs(high));
  if (span <= 1e-12 * scale || span === 0) return [low - (scale || 1) * 0.5, high + (scale || 1) * 0.5];
  return [low - 0.06 * span, high + 0.06 * span];
}
