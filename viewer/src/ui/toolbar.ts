// What is shown in the drawing, and from where.
import type { Stage, StageOptions } from "../stage/stage";
import type { ViewName } from "../stage/view_camera";
import type { Playback } from "../playback";
import { download, h, icon_button, set_pressed } from "./dom";
import { can_film, film } from "./film";

const switches: [keyof StageOptions, string, string, string][] = [
  ["traces", "trace", "Traces of points", "T"],
  ["axes", "axis", "Joint axes", "J"],
  ["reactions", "arrow", "Reactions", "R"],
  ["forces", "arrow", "Applied forces", "A"],
  ["labels", "label", "Names", "N"],
  ["grid", "grid", "Grid", "G"],
];

const view_names: [ViewName, string, string][] = [
  ["oblique", "Oblique view", "1"],
  ["front", "Front view", "2"],
  ["side", "Side view", "3"],
  ["top", "Top view", "4"],
];

export class Toolbar {
  readonly element: HTMLElement;
  private readonly buttons = new Map<keyof StageOptions, HTMLButtonElement>();

  constructor(
    private readonly stage: Stage,
    playback: Playback,
  ) {
    const views = h("div", { class: "tool-group", role: "group", "aria-label": "View" });
    views.append(icon_button("fit", "Fit the view", () => stage.look(), "F"));
    for (const [name, label, key] of view_names.filter(([each]) => stage.views.includes(each))) {
      const button = h("button", { class: "tool text", type: "button", title: `${label} (${key})`, "aria-label": label }, `${name[0].toUpperCase()}${name.slice(1)}`);
      button.addEventListener("click", () => stage.look(name));
      views.append(button);
    }
    const shown = h("div", { class: "tool-group", role: "group", "aria-label": "Show" });
    for (const [option, picture, label, key] of switches) {
      if (option === "forces" && !stage.main?.forces.count) continue;
      if (option === "reactions" && !stage.main?.reactions.count) continue;
      const button = icon_button(picture, label, () => this.toggle(option), key);
      button.dataset.option = option;
      this.buttons.set(option, button);
      shown.append(button);
    }
    const picture = icon_button("image", "Save a picture", () => {
      void stage.snapshot().then((blob) => blob && download("mechanism.png", blob));
    });
    const saved = h("div", { class: "tool-group" }, picture);
    if (can_film()) saved.append(this.film_button(playback));
    this.element = h("div", { class: "toolbar", role: "toolbar", "aria-label": "Drawing" }, views, shown, saved);
    this.update();
  }

  private film_button(playback: Playback): HTMLButtonElement {
    const button = icon_button("film", "Save a film: plays the run once and records it", () => {
      if (button.getAttribute("aria-pressed") === "true") return playback.play(false);
      set_pressed(button, true);
      void film(this.stage, playback).then((made) => {
        set_pressed(button, false);
        if (made) download(made.name, made.content);
      });
    });
    return button;
  }

  toggle(option: keyof StageOptions): void {
    this.stage.options[option] = !this.stage.options[option];
    this.stage.apply_options();
    this.update();
  }
  update(): void {
    for (const [option, button] of this.buttons) set_pressed(button, this.stage.options[option]);
  }
}
