// Fewer points, the same picture: of each interval the lowest and the highest value.

export interface Window {
  x: Float64Array;
  /** one per column */
  y: Float64Array[];
}

/** First index with time[i] >= t. */
function first_at(time: Float64Array, t: number): number {
  let low = 0;
  let high = time.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (time[middle] < t) low = middle + 1;
    else high = middle;
  }
  return low;
}

function extremes(column: Float64Array, begin: number, end: number, out: Float64Array, at: number): void {
  let low = begin;
  let high = begin;
  for (let i = begin + 1; i < end; ++i) {
    if (column[i] < column[low]) low = i;
    if (column[i] > column[high]) high = i;
  }
  out[at] = column[Math.min(low, high)];
  out[at + 1] = column[Math.max(low, high)];
}

/** The part of the columns between two times, with at most about `points` points. */
export function visible_window(
  time: Float64Array,
  columns: Float64Array[],
  from: number,
  to: number,
  points: number,
): Window {
  const begin = Math.max(0, first_at(time, from) - 1);
  const end = Math.min(time.length, first_at(time, to) + 2);
  const count = end - begin;
  if (count <= points) {
    return { x: time.subarray(begin, end), y: columns.map((column) => column.subarray(begin, end)) };
  }
  const intervals = Math.max(1, points >> 1);
  const bound = (k: number): number => begin + Math.floor((k * count) / intervals);
  const x = new Float64Array(2 * intervals);
  const y = columns.map(() => new Float64Array(2 * intervals));
  for (let k = 0; k < intervals; ++k) {
    const first = bound(k);
    const last = bound(k + 1);
    x[2 * k] = time[first];
    x[2 * k + 1] = k + 1 === intervals ? time[last - 1] : 0.5 * (time[first] + time[last - 1]);
    columns.forEach((column, c) => extremes(column, first, last, y[c], 2 * k));
  }
  return { x, y };
}
