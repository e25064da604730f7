// Least, largest, mean and rms of what a plot shows, and when: of the visible times, of every run.
import { statistics } from "../data/statistics";
import type { Run } from "../data/run";
import { h } from "./dom";
import { number_text, unit_text } from "./numbers";

export interface Listed {
  name: string;
  unit: string;
  color: string;
}

export function statistics_table(runs: Run[], channels: Listed[], [from, to]: [number, number]): HTMLElement {
  const rows = channels.flatMap(({ name, unit, color }) =>
    runs.flatMap((run) => {
      const column = run.column(name);
      const found = column && statistics(run.time, column, from, to);
      if (!found) return [];
      const at = (value: number, time: number): HTMLElement => h("td", {}, number_text(value, 5), h("small", {}, `at ${number_text(time, 4)} s`));
      const label = runs.length > 1 ? `${name}, ${run.label}` : name;
      // Of thinned samples, extremes are kept and means are not.
      const means = run.thinned ? ["–", "–"] : [number_text(found.mean, 4), number_text(found.rms, 4)];
      return [
        h(
          "tr",
          {},
          h("th", { scope: "row" }, h("i", { style: `background:${color}` }), unit ? `${label}, ${unit_text(unit)}` : label),
          at(found.least, found.least_time),
          at(found.largest, found.largest_time),
          ...means.map((text) => h("td", {}, text)),
        ),
      ];
    }),
  );
  const heading = ["", "least", "largest", "mean", "rms"].map((text) => h("th", { scope: "col" }, text));
  return h("table", { class: "statistics" }, h("thead", {}, h("tr", {}, ...heading)), h("tbody", {}, ...rows));
}
