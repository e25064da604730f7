// The keys.
import { h, icon_button } from "./dom";

const keys: [string, string][] = [
  ["Space", "play or pause"],
  ["← →", "one recorded time back or on; with Shift ten"],
  ["Home End", "to the start, to the end"],
  ["+ −", "faster, slower"],
  ["L", "repeat"],
  ["F", "fit the view"],
  ["1 2 3 4", "oblique, front, side, top"],
  ["T", "traces"],
  ["J", "joint axes"],
  ["R", "reactions"],
  ["A", "applied forces"],
  ["N", "names"],
  ["G", "grid"],
  ["/", "search model and channels"],
  ["[ ]", "hide or show the side panels"],
  ["D", "dark or light"],
  ["Esc", "drop the selection"],
];

export function help_dialog(): HTMLDialogElement {
  const list = h("dl", { class: "keys" });
  for (const [key, text] of keys) {
    list.append(h("dt", {}, ...key.split(" ").map((name) => h("kbd", {}, name))), h("dd", {}, text));
  }
  const dialog = h("dialog", { class: "help", "aria-label": "Keys" });
  dialog.append(
    h("header", {}, h("h2", {}, "Keys"), icon_button("close", "Close", () => dialog.close(), "Esc")),
    list,
    h(
      "p",
      {},
      "Drawing: drag turns (planar models: moves; right button turns), wheel zooms, a click selects a body. ",
      "Plots: drag zooms into a time, double click shows all, a click goes to that time, Ctrl and wheel zoom. ",
      "Channels are added by click, Enter or drag from the tree.",
    ),
    h("p", { class: "notice" }, "Made with three.js and uPlot, both under the MIT licence; their notices head the script of this page."),
  );
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  return dialog;
}
