// A channel in a few numbers, over a part of its time.

export interface Statistics {
  least: number;
  least_time: number;
  largest: number;
  largest_time: number;
  /** over time, of the straight lines between samples */
  mean: number;
  rms: number;
}

/** Undefined where there is no sample between the two times. */
export function statistics(time: Float64Array, values: Float64Array, from: number, to: number): Statistics | undefined {
  let last = -1;
  let sum = 0;
  let squares = 0;
  let duration = 0;
  const found: Statistics = { least: Infinity, least_time: from, largest: -Infinity, largest_time: from, mean: 0, rms: 0 };
  for (let i = 0; i < time.length; ++i) {
    const value = values[i];
    if (time[i] < from || time[i] > to || !Number.isFinite(value)) continue;
    if (value < found.least) [found.least, found.least_time] = [value, time[i]];
    if (value > found.largest) [found.largest, found.largest_time] = [value, time[i]];
    if (last >= 0) {
      const h = time[i] - time[last];
      const before = values[last];
      duration += h;
      sum += 0.5 * h * (before + value);
      squares += (h * (before * before + before * value + value * value)) / 3;
    }
    last = i;
  }
  if (last < 0) return undefined;
  found.mean = duration > 0 ? sum / duration : values[last];
  found.rms = duration > 0 ? Math.sqrt(squares / duration) : Math.abs(values[last]);
  return found;
}
