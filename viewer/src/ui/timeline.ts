// Play, scrub, speed.
import type { Playback } from "../playback";
import { speeds } from "../playback";
import { h, icon, icon_button, set_pressed } from "./dom";
import { number_text, time_text } from "./numbers";

/** A button that makes room first: its key and the ends of the slider do the same. */
function edge(button: HTMLButtonElement): HTMLButtonElement {
  button.classList.add("edge");
  return button;
}

export class Timeline {
  readonly element: HTMLElement;
  private readonly play_button: HTMLButtonElement;
  private readonly loop_button: HTMLButtonElement;
  private readonly slider: HTMLInputElement;
  private readonly now = h("output", { class: "time" });
  private readonly total = h("span", { class: "total" });
  private readonly speed: HTMLSelectElement;
  private shown_playing: boolean | undefined;

  constructor(private readonly playback: Playback) {
    this.play_button = icon_button("play", "Play", () => playback.toggle(), "Space");
    this.play_button.classList.add("play");
    this.loop_button = icon_button("loop", "Repeat", () => playback.toggle_loop(), "L");
    this.slider = h("input", { type: "range", min: "0", max: "1", step: "any", "aria-label": "Time" });
    this.slider.addEventListener("input", () => {
      const { start, end } = playback;
      playback.seek(start + Number(this.slider.value) * (end - start));
    });
    // Arrow keys step through the recorded times; the page as a whole takes care of that.
    this.slider.addEventListener("keydown", (event) => {
      if (event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End") event.preventDefault();
    });
    this.speed = h("select", { "aria-label": "Speed", title: "Speed (+ and −)" });
    for (const speed of speeds) this.speed.append(h("option", { value: speed }, `${number_text(speed)}×`));
    this.speed.addEventListener("change", () => playback.set_speed(Number(this.speed.value)));
    this.element = h(
      "div",
      { class: "timeline", role: "group", "aria-label": "Playback" },
      edge(icon_button("start", "To the start", () => playback.seek(playback.start), "Home")),
      this.play_button,
      edge(icon_button("end", "To the end", () => playback.seek(playback.end), "End")),
      this.slider,
      h("div", { class: "clock" }, this.now, this.total),
      this.speed,
      this.loop_button,
    );
    playback.on_change(() => this.update());
    this.update();
  }

  private update(): void {
    const { time, start, end, playing, loop, speed } = this.playback;
    const s = end > start ? (time - start) / (end - start) : 0;
    this.slider.value = String(s);
    this.slider.style.setProperty("--done", `${(100 * s).toFixed(2)}%`);
    const text = time_text(time, end);
    this.now.textContent = text;
    this.slider.setAttribute("aria-valuetext", `${text} s`);
    this.total.textContent = `/ ${time_text(end, end)} s`;
    this.speed.value = String(speed);
    set_pressed(this.loop_button, loop);
    if (this.shown_playing !== playing) {
      this.shown_playing = playing;
      this.play_button.replaceChildren(icon(playing ? "pause" : "play"));
      this.play_button.setAttribute("aria-label", playing ? "Pause" : "Play");
    }
  }
}
