// A plot as a picture or as numbers.
import type { Run } from "../data/run";
import type { Theme } from "../theme";
import { unit_text } from "./numbers";

function csv_field(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

/** All samples of the channels; several runs stand one below the other, told apart by a column. */
export function panel_csv(runs: Run[], names: string[]): Blob {
  const several = runs.length > 1;
  const titles = names.map((name) => {
    const unit = runs[0].channel(name)?.unit;
    return unit ? `${name} [${unit}]` : name;
  });
  const lines = [[...(several ? ["run"] : []), "time [s]", ...titles].map(csv_field).join()];
  for (const run of runs) {
    const columns = names.map((name) => run.column(name));
    for (let i = 0; i < run.time.length; ++i) {
      const row = [run.time[i], ...columns.map((column) => column?.[i] ?? "")];
      lines.push((several ? [csv_field(run.label), ...row] : row).join());
    }
  }
  return new Blob([lines.join("\n") + "\n"], { type: "text/csv" });
}

export interface LegendEntry {
  name: string;
  unit: string;
  color: string;
}

/** The plot on its background, with a legend above it. */
export function panel_png(plot: HTMLCanvasElement, entries: LegendEntry[], theme: Theme): Promise<Blob | null> {
  const ratio = window.devicePixelRatio || 1;
  const line = 20 * ratio;
  const canvas = document.createElement("canvas");
  canvas.width = plot.width;
  canvas.height = plot.height + line * entries.length + 8 * ratio;
  const pen = canvas.getContext("2d")!;
  pen.fillStyle = theme.css("surface");
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.font = `${12 * ratio}px system-ui, sans-serif`;
  pen.textBaseline = "middle";
  entries.forEach(({ name, unit, color }, i) => {
    const y = (i + 0.7) * line;
    pen.fillStyle = color;
    pen.fillRect(14 * ratio, y - 1.5 * ratio, 18 * ratio, 3 * ratio);
    pen.fillStyle = theme.css("ink");
    pen.fillText(unit ? `${name} (${unit_text(unit)})` : name, 40 * ratio, y);
  });
  pen.drawImage(plot, 0, line * entries.length + 8 * ratio);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
