// Equations of motion of a small model, as the program wrote them: MathML, one equation a line.
import { h } from "./dom";

const space = "http://www.w3.org/1998/Math/MathML";
const elements = new Set(["math", "mrow", "mi", "mn", "mo", "mtext", "msub", "msup", "mover", "mfrac", "msqrt"]);

const invisible_times = "\u2062";

/** A copy of formulas and nothing else: results files may come from anywhere. */
function copied(node: Node): Node | null {
  if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.textContent ?? "");
  if (!(node instanceof Element) || !elements.has(node.localName)) return null;
  if (node.textContent === invisible_times) {
    const gap = document.createElementNS(space, "mspace");
    gap.setAttribute("width", "0.18em");
    return gap;
  }
  const copy = document.createElementNS(space, node.localName);
  if (/^[()]$/.test(node.textContent ?? "")) copy.setAttribute("stretchy", "false");
  for (const child of node.childNodes) {
    const inner = copied(child);
    if (inner) copy.append(inner);
  }
  return copy;
}

/** One equation: summands are elements of their own, between which lines may break. */
function formula(text: string): HTMLElement | null {
  const parsed = new DOMParser().parseFromString(`<line>${text}</line>`, "application/xml");
  if (parsed.querySelector("parsererror")) return null;
  const line = h("div", { class: "equation" });
  for (const part of parsed.documentElement.children) {
    const math = copied(part);
    if (!(math instanceof Element)) continue;
    // The sign before a summand stands between two of them, but for the first.
    if (line.childElementCount && math.firstElementChild?.localName === "mo") math.firstElementChild.setAttribute("form", "infix");
    line.append(math, " ");
  }
  return line;
}

/** Nothing for a run without equations. */
export function equations(information: Map<string, string>): HTMLElement[] {
  const lines = (information.get("equations") ?? "").split("\n").filter(Boolean);
  if (!lines.length) return [];
  const names = (information.get("equations_coordinates") ?? "").split("\n");
  const legend = h("p", { class: "legend" });
  names.forEach((name, i) => legend.append(i ? ", " : "", h("i", {}, "q"), h("sub", {}, String(i + 1)), ` = ${name}`));
  return [legend, ...lines.map(formula).filter((line): line is HTMLElement => line !== null)];
}
