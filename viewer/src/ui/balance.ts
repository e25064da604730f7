// Where the energy went, how well the constraints hold, what the solver did.
import type { Run } from "../data/run";
import { bytes_text, duration_text, number_text, with_unit } from "./numbers";
import { h } from "./dom";
import { PlotPanel, type PlotContext } from "./plot_panel";

interface Entry {
  label: string;
  value: number;
  note: string;
}

function last(run: Run, name: string): number | undefined {
  const column = run.si_column(name);
  return column?.length ? column[column.length - 1] : undefined;
}

function largest(run: Run, name: string): number | undefined {
  return run.si_column(name)?.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}

/** The balance: end - start = loads + drives - dissipated - numerical loss. */
function energy_entries(run: Run): Entry[] | undefined {
  const total = run.si_column("energy.total");
  if (!total?.length) return undefined;
  const entries: Entry[] = [{ label: "At the start", value: total[0], note: "kinetic + potential" }];
  const add = (label: string, name: string, sign: number, note: string): void => {
    const value = last(run, name);
    if (value !== undefined && (value !== 0 || name === "energy.numerical_loss")) entries.push({ label, value: sign * value, note });
  };
  add("Work of loads", "energy.loads", 1, "applied forces and torques");
  add("Work of drives", "energy.drives", 1, "constraints that depend on time");
  add("Dissipated", "energy.dissipated", -1, "taken by dampers");
  add("Numerical loss", "energy.numerical_loss", -1, "error of the integration");
  entries.push({ label: "At the end", value: total[total.length - 1], note: "kinetic + potential" });
  return entries;
}

function energy_balance(run: Run): HTMLElement | null {
  const entries = energy_entries(run);
  if (!entries) return null;
  const scale = Math.max(...entries.map((entry) => Math.abs(entry.value))) || 1;
  const rows = entries.map((entry, i) => {
    const edge = i === 0 || i === entries.length - 1;
    const width = (50 * Math.abs(entry.value)) / scale;
    const side = entry.value < 0 ? `right:50%` : `left:50%`;
    const sign = !edge && entry.value > 0 ? "+" : "";
    return h(
      "tr",
      { class: edge ? "edge" : "" },
      h("th", { scope: "row", title: entry.note }, entry.label),
      h("td", { class: "bar" }, h("i", { class: entry.value < 0 ? "minus" : "plus", style: `${side};width:${width.toFixed(2)}%` })),
      h("td", { class: "number" }, `${sign}${number_text(entry.value, 5)} J`),
    );
  });
  return h("section", { class: "card" }, h("h2", {}, "Energy balance"), h("table", { class: "energy-balance" }, h("tbody", {}, ...rows)));
}

function facts(title: string, list: [string, string][]): HTMLElement | null {
  if (!list.length) return null;
  const table = h("dl", { class: "facts" });
  for (const [name, text] of list) table.append(h("dt", {}, name), h("dd", {}, text));
  return h("section", { class: "card" }, h("h2", {}, title), table);
}

function error_facts(run: Run): [string, string][] {
  const levels: [string, string][] = [];
  for (const level of ["position", "velocity", "acceleration"]) {
    const value = largest(run, `error.${level}`);
    if (value !== undefined) levels.push([level, number_text(value, 3)]);
  }
  return levels;
}

function solver_facts(run: Run): [string, string][] {
  const statistics = run.header.run.statistics;
  const words: Record<string, (value: number) => string> = {
    wall_time: duration_text,
    memory_bytes: bytes_text,
    smallest_step: (value) => with_unit(number_text(value), "s"),
  };
  const list: [string, string][] = Object.entries(statistics)
    .filter(([name, value]) => value !== 0 || ["steps", "failed_steps"].includes(name))
    .map(([name, value]) => [name.replace(/_/g, " ").replace(" bytes", ""), (words[name] ?? ((v: number) => number_text(v, 6)))(value)]);
  const { steps, newton_iterations, wall_time } = statistics;
  if (steps && newton_iterations) list.push(["iterations per step", number_text(newton_iterations / steps, 3)]);
  if (steps && wall_time) list.push(["time per step", duration_text(wall_time / steps)]);
  return list;
}

export class Balance {
  readonly element = h("div", { class: "page" });
  private panels: PlotPanel[] = [];

  constructor(private readonly context: PlotContext) {
    this.build();
  }

  build(): void {
    const run = this.context.runs[0];
    const panel = (title: string, names: string[], logarithmic = false): PlotPanel | null => {
      const known = names.filter((name) => run.column(name));
      if (!known.length) return null;
      const made = new PlotPanel(this.context, { title, removable: false, logarithmic, height: 170 });
      made.add(known);
      return made;
    };
    const energies = panel("Energy", ["energy.kinetic", "energy.potential", "energy.total"]);
    const losses = panel("Dissipation and numerical loss", ["energy.dissipated", "energy.numerical_loss"]);
    const errors = panel("Constraint errors", ["error.position", "error.velocity", "error.acceleration"], true);
    const steps = panel("Iterations and factorisations", ["solver.iterations", "solver.factorisations"]);
    this.panels = [energies, losses, errors, steps].filter((made): made is PlotPanel => made !== null);
    const content = [
      energy_balance(run),
      energies?.element,
      losses?.element,
      facts("Largest constraint errors", error_facts(run)),
      errors?.element,
      facts("Solver", solver_facts(run)),
      steps?.element,
    ].filter((part): part is HTMLElement => Boolean(part));
    const nothing = h("p", { class: "nothing" }, "This file holds neither energies nor errors.");
    this.element.replaceChildren(...(content.length ? content : [nothing]));
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
