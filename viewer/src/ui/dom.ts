// Elements in one line.

type Child = Node | string | null | undefined | false;
type Properties = Record<string, unknown>;

/** h("button", { class: "icon", "aria-label": "Play", onclick: f }, child, ...) */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value == null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

const paths: Record<string, string> = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M6.5 4.5h4v15h-4zM13.5 4.5h4v15h-4z",
  start: "M6 5v14M19 5l-9 7 9 7z",
  end: "M18 5v14M5 5l9 7-9 7z",
  loop: "M17 3l3 3-3 3M4 11V9a3 3 0 0 1 3-3h13M7 21l-3-3 3-3M20 13v2a3 3 0 0 1-3 3H4",
  fit: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  cube: "M12 3l8 4.5v9L12 21l-8-4.5v-9zM12 12l8-4.5M12 12v9M12 12L4 7.5",
  trace: "M3 17c4-12 7-12 9-5s5 7 9-5",
  axis: "M12 2v4M12 9v1.5M12 13.5V15M12 18v4M8.5 12a3.5 1.6 0 1 0 7 0 3.5 1.6 0 1 0-7 0",
  arrow: "M5 19L18 6M10 6h8v8",
  grid: "M4 4h16v16H4zM4 9.3h16M4 14.7h16M9.3 4v16M14.7 4v16",
  label: "M4 5h9l7 7-7 7H4zM8.5 12h.01",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M4.2 4.2l1.4 1.4M18.4 18.4l1.4 1.4M2 12h2M20 12h2M4.2 19.8l1.4-1.4M18.4 5.6l1.4-1.4",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
  help: "M9 9a3 3 0 1 1 4.2 2.8c-.8.4-1.2 1-1.2 1.9v.3M12 17.5h.01M12 2.5a9.5 9.5 0 1 0 0 19 9.5 9.5 0 0 0 0-19z",
  left: "M4 4h16v16H4zM9.5 4v16",
  right: "M4 4h16v16H4zM14.5 4v16",
  plus: "M12 5v14M5 12h14",
  close: "M6 6l12 12M18 6L6 18",
  image: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9h.01",
  table: "M4 5h16v14H4zM4 10h16M4 14.5h16M10 5v14",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  follow: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v4M12 18v4M2 12h4M18 12h4",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM20 20l-4.8-4.8",
  film: "M4 5h16v14H4zM8 5v14M16 5v14M4 9.7h4M4 14.3h4M16 9.7h4M16 14.3h4",
};
const filled = new Set(["play", "pause"]);

export function icon(name: string): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", filled.has(name) ? "icon filled" : "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", paths[name] ?? "");
  svg.append(path);
  return svg;
}

/** A button that is its icon; the label is read out and shown as a hint, with its key. */
export function icon_button(
  name: string,
  label: string,
  action: () => void,
  key = "",
): HTMLButtonElement {
  const hint = key ? `${label} (${key})` : label;
  return h("button", { class: "tool", type: "button", title: hint, "aria-label": label, onclick: action }, icon(name));
}

export function set_pressed(button: HTMLButtonElement, on: boolean): void {
  button.setAttribute("aria-pressed", String(on));
}

/** Starts a download; works from file:// as well. */
export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = h("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
