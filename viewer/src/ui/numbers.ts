// Numbers for people.

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

function power(exponent: number): string {
  const digits = String(Math.abs(exponent)).replace(/\d/g, (d) => superscripts[Number(d)]);
  return `×10${exponent < 0 ? "⁻" : ""}${digits}`;
}

/** 0.1234, 12.34, 1.234×10⁻⁵; a real minus sign. */
export function number_text(value: number, digits = 4): string {
  if (Number.isNaN(value)) return "no number";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  let text: string;
  if (size >= 1e6 || size < 1e-3) {
    const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
    text = String(Number(mantissa)) + power(Number(exponent));
  } else {
    text = String(Number(value.toPrecision(digits)));
  }
  return text.replace("-", "−");
}

/** The same number of decimals whatever the value: does not flicker while it changes. */
export function time_text(value: number, end: number): string {
  const decimals = end >= 100 ? 2 : end >= 1 ? 3 : Math.min(7, 3 - Math.floor(Math.log10(end || 1)));
  return value.toFixed(decimals);
}

export function vector_text(values: readonly number[], digits = 4): string {
  return `[${values.map((value) => number_text(value, digits)).join(", ")}]`;
}

/** "m/s^2" as m/s², "N m" as N·m. */
export function unit_text(unit: string): string {
  return unit.replace(/\^(\d)/g, (_, d: string) => superscripts[Number(d)]).replace(/ /g, "·");
}

export function with_unit(value: string, unit: string): string {
  return unit ? `${value} ${unit_text(unit)}` : value;
}

export function duration_text(seconds: number): string {
  if (seconds < 1e-3) return `${number_text(seconds * 1e6, 3)} µs`;
  if (seconds < 1) return `${number_text(seconds * 1e3, 3)} ms`;
  if (seconds < 120) return `${number_text(seconds, 3)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

export function bytes_text(bytes: number): string {
  if (bytes < 1e3) return `${bytes} bytes`;
  if (bytes < 1e6) return `${number_text(bytes / 1e3, 3)} kB`;
  if (bytes < 1e9) return `${number_text(bytes / 1e6, 3)} MB`;
  return `${number_text(bytes / 1e9, 3)} GB`;
}
