// The plots one chooses oneself.
import type { Run } from "../data/run";
import { h, icon } from "./dom";
import { PlotPanel, type PlotContext } from "./plot_panel";

export class Plots {
  readonly element: HTMLElement;
  private readonly list = h("div", { class: "plot-list" });
  private panels: PlotPanel[] = [];
  private focused: PlotPanel | undefined;
  on_change?: () => void;

  constructor(private readonly context: PlotContext) {
    const add = h(
      "button",
      { class: "wide", type: "button", onclick: () => this.add_panel([]) },
      icon("plus"),
      "New plot",
    );
    this.element = h("div", { class: "plots" }, this.list, add);
    for (const names of first_look(context.runs[0])) this.add_panel(names);
    this.focused = undefined;
  }

  get plotted(): Set<string> {
    return new Set(this.panels.flatMap((panel) => panel.names));
  }

  private add_panel(names: string[]): PlotPanel {
    const panel = new PlotPanel(this.context, {
      on_remove: (gone) => this.remove_panel(gone),
      on_focus: (chosen) => this.focus(chosen),
    });
    this.panels.push(panel);
    this.list.append(panel.element);
    if (names.length) panel.add(names);
    this.focus(panel);
    return panel;
  }
  private remove_panel(panel: PlotPanel): void {
    panel.plot?.destroy();
    panel.element.remove();
    this.panels = this.panels.filter((other) => other !== panel);
    if (this.focused === panel) this.focused = undefined;
    this.on_change?.();
  }
  private focus(panel: PlotPanel): void {
    this.focused = panel;
    for (const other of this.panels) other.element.classList.toggle("focused", other === panel && this.panels.length > 1);
  }

  /** Into the plot that was used last when the unit fits, else into a new one. */
  add(names: string[]): void {
    const unit = (name: string): string | undefined => this.context.runs[0].channel(name)?.unit;
    const fits = this.focused && (!this.focused.names.length || unit(this.focused.names[0]) === unit(names[0]));
    const panel = fits ? this.focused! : this.add_panel([]);
    panel.add(names);
    panel.element.scrollIntoView({ block: "nearest" });
    this.on_change?.();
  }
  remove(name: string): void {
    for (const panel of this.panels) if (panel.names.includes(name)) panel.remove(name);
    this.on_change?.();
  }

  refresh(): void {
    for (const panel of this.panels) panel.refresh();
  }
  rebuild(): void {
    for (const panel of this.panels) panel.rebuild();
  }
  set_time(): void {
    for (const panel of this.panels) panel.set_time();
  }
}

/** What most people want to see first: sensors and loads of drives; else joint coordinates, the largest force, energies. */
function first_look(run: Run): string[][] {
  const names = run.channels.map((channel) => channel.name);
  const named = named_by_model(run);
  if (named.length) return named;
  const asked = asked_for(run, names);
  if (asked.length) return asked;
  const joints = run.channels
    .filter((c) => c.frame === "joint" && !/_rate$|\.reaction\./.test(c.name))
    .slice(0, 60)
    .filter((c) => varies(run.column(c.name)!));
  const unit = joints[0]?.unit;
  const coordinates = joints.filter((c) => c.unit === unit).slice(0, 4).map((c) => c.name);
  const moving = (pattern: RegExp): string[] =>
    names.filter((name) => pattern.test(name)).slice(0, 60).filter((name) => varies(run.column(name)!)).slice(0, 3);
  const positions = moving(/\.position\.[xyz]$/);
  const bodies = positions.length ? positions : moving(/\.angular_velocity/);
  const energies = ["energy.kinetic", "energy.potential", "energy.total"].filter((name) => names.includes(name));
  const groups = [coordinates.length ? coordinates : bodies, energies];
  if (groups[0].length) {
    groups.splice(1, 0, strongest(run, names));
  }
  const chosen = groups.filter((group) => group.length);
  return chosen.length ? chosen : names.length ? [names.slice(0, 3)] : [];
}

/** What `report: plots:` of the model names, one plot for each unit in the order of the names. */
function named_by_model(run: Run): string[][] {
  const groups = new Map<string, string[]>();
  for (const pattern of run.header.plots ?? []) {
    const text = pattern.replace(/[.+^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*").replaceAll("?", ".");
    for (const { name, unit } of run.channels.filter((channel) => new RegExp(`^${text}$`).test(channel.name)).slice(0, 40)) {
      const group = groups.get(unit) ?? [];
      if (!group.includes(name)) groups.set(unit, [...group, name]);
    }
  }
  return [...groups.values()];
}

/** Whoever made sensors and drives wants to see them: one plot for each unit. */
function asked_for(run: Run, names: string[]): string[][] {
  const known = new Set(names);
  const sensors = run.channels.filter(({ description }) => description === "sensor");
  const loads = run.channels.filter(({ name }) => name.endsWith(".load") && known.has(name.replace(/load$/, "power")));
  const groups = new Map<string, string[]>();
  for (const [sort, list] of Object.entries({ sensors, loads })) {
    for (const { name, unit } of list.slice(0, 40)) {
      if (!varies(run.column(name)!)) continue;
      const group = groups.get(`${sort} ${unit}`) ?? [];
      if (group.length < 4) groups.set(`${sort} ${unit}`, [...group, name]);
    }
  }
  return [...groups.values()].slice(0, 4);
}

/** The components of the largest force in a joint; what is nothing beside it is left out. */
function strongest(run: Run, names: string[]): string[] {
  const peaks = names
    .filter((name) => /\.tension$|\.reaction\.force\.[xyz]$/.test(name))
    .slice(0, 90)
    .map((name) => ({ name, owner: name.replace(/\.[xyz]$/, ""), peak: largest(run.column(name)!) }));
  const most = Math.max(0, ...peaks.map(({ peak }) => peak));
  const chosen = peaks.find(({ peak }) => peak === most && most > 1e-6);
  return peaks.filter(({ owner, peak }) => owner === chosen?.owner && peak > 1e-6 * most).map(({ name }) => name);
}

function largest(column: Float64Array): number {
  let most = 0;
  for (const value of column) if (Math.abs(value) > most && Number.isFinite(value)) most = Math.abs(value);
  return most;
}

/** More than rounding errors around a constant. */
function varies(column: Float64Array): boolean {
  let low = Infinity;
  let high = -Infinity;
  for (const value of column) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return high - low > 1e-9 + 1e-6 * Math.max(Math.abs(low), Math.abs(high));
}
