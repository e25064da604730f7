// Channels over another channel: paths instead of functions, so that x may go back and forth.
import uPlot from "uplot";
import { interval_of, type Run } from "../data/run";

/** Samples between two times: x of the channel along the axis, y of the other. */
export function path_data(run: Run, x: string, y: string, [from, to]: [number, number]): [number[], (number | null)[]] {
  const along = run.column(x);
  const up = run.column(y);
  const xs: number[] = [];
  const ys: (number | null)[] = [];
  for (let i = 0; along && up && i < run.time.length; ++i) {
    if (run.time[i] < from || run.time[i] > to) continue;
    xs.push(along[i]);
    ys.push(Number.isFinite(up[i]) && Number.isFinite(along[i]) ? up[i] : null);
  }
  return [xs, ys];
}

/** uPlot draws functions of x; this draws the points in the order of time. */
export const draw_path: uPlot.Series.PathBuilder = (u, index) => {
  const [xs, ys] = (u.data as unknown as [number[], (number | null)[]][])[index];
  const scale = u.series[index].scale!;
  const path = new Path2D();
  let down = false;
  ys.forEach((y, i) => {
    if (y === null) {
      down = false;
      return;
    }
    const at: [number, number] = [u.valToPos(xs[i], "x", true), u.valToPos(y, scale, true)];
    if (down) path.lineTo(...at);
    else path.moveTo(...at);
    down = true;
  });
  return { stroke: path, fill: null, clip: null, band: null, gaps: null, flags: 0 } as unknown as uPlot.Series.Paths;
};

/** The time at which the path of a channel comes nearest to a place of the plot, in px. */
export function nearest_time(u: uPlot, run: Run, x: string, names: { name: string; scale: string }[], left: number, top: number): number {
  const along = run.column(x)!;
  let best = Infinity;
  let time = run.start;
  for (const { name, scale } of names) {
    const up = run.column(name);
    for (let i = 0; up && i < up.length; ++i) {
      const distance = Math.hypot(u.valToPos(along[i], "x") - left, u.valToPos(up[i], scale) - top);
      if (distance < best) [best, time] = [distance, run.time[i]];
    }
  }
  return time;
}

/** The range of a column between two times, with a little room. */
export function range_of(runs: Run[], name: string, [from, to]: [number, number]): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const run of runs) {
    const column = run.column(name);
    for (let i = interval_of(run.time, from); column && i < column.length && run.time[i] <= to; ++i) {
      if (column[i] < low) low = column[i];
      if (column[i] > high) high = column[i];
    }
  }
  if (!(high > low)) return [low - 0.5, high + 0.5];
  const room = 0.04 * (high - low);
  return [low - room, high + room];
}
