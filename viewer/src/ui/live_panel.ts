// Controls of a model that runs: pause, step, restart, speed, and a slider for each parameter.
import { live_command, type LiveParameter, type LiveState } from "../data/live";
import { h, icon, icon_button } from "./dom";
import { number_text, unit_text } from "./numbers";

const steps = 400;

/** From nothing to twice the value of the file; both signs where that is zero. */
function range_of(value: number): [number, number] {
  if (value === 0) return [-1, 1];
  return value > 0 ? [0, 2 * value] : [2 * value, 0];
}

class Slider {
  readonly element: HTMLElement;
  private readonly input: HTMLInputElement;
  private readonly output = h("output", {});
  private readonly range: [number, number];
  private readonly back: HTMLButtonElement;
  private held = false;

  constructor(
    private parameter: LiveParameter,
    send: (name: string, values: Record<string, string | number>) => void,
  ) {
    const { name, unit } = parameter;
    this.range = range_of(parameter.value);
    const [low, high] = this.range;
    this.input = h("input", { type: "range", min: 0, max: steps, step: 1, "aria-label": name });
    this.input.addEventListener("input", () => {
      this.held = true;
      const value = low + ((high - low) * Number(this.input.value)) / steps;
      this.write({ ...this.parameter, value });
      send("set", { name, value });
    });
    this.input.addEventListener("change", () => (this.held = false));
    this.back = icon_button("loop", `${name} as in the file`, () => send("reset", { name }));
    this.element = h("label", { class: "slider" }, h("span", {}, name), this.input, this.output, h("span", { class: "unit" }, unit_text(unit)), this.back);
    this.show(parameter);
  }

  private write(parameter: LiveParameter): void {
    this.parameter = parameter;
    this.output.textContent = number_text(parameter.value, 4);
  }
  show(parameter: LiveParameter): void {
    this.back.hidden = !parameter.changed;
    if (this.held) return;
    this.write(parameter);
    const [low, high] = this.range;
    this.input.value = String(Math.round((steps * (parameter.value - low)) / (high - low)));
  }
}

export class LivePanel {
  readonly element: HTMLElement;
  private readonly play = h("button", { class: "tool", type: "button" });
  private readonly clock = h("output", { class: "clock", title: "Time of the model" });
  private readonly trouble = h("pre", { class: "trouble", role: "alert", hidden: true });
  private readonly list = h("div", { class: "sliders" });
  private readonly speed = h("select", { "aria-label": "Speed" });
  private sliders = new Map<string, Slider>();
  private playing = true;
  private waiting: (() => void) | undefined;
  private busy = false;

  constructor(private readonly on_state: (state: LiveState) => void) {
    this.play.addEventListener("click", () => this.send(this.playing ? "pause" : "play"));
    for (const value of [0.01, 0.1, 0.2, 0.5, 1, 2, 5]) this.speed.append(h("option", { value }, `${value} ×`));
    this.speed.value = "1";
    this.speed.addEventListener("change", () => this.send("speed", { value: this.speed.value }));
    this.element = h(
      "section",
      { class: "live", "aria-label": "Live model" },
      h(
        "div",
        { class: "live-buttons" },
        this.play,
        icon_button("end", "One step", () => this.send("step")),
        icon_button("start", "Restart", () => this.send("restart")),
        this.speed,
        this.clock,
      ),
      this.trouble,
      this.list,
      h("p", { class: "hint" }, "Shift and drag pulls a body. Saving the file starts it again."),
    );
  }

  /** The newest wish of its kind, one after the other: a slider asks faster than models are made. */
  send(name: string, values: Record<string, string | number> = {}): void {
    const ask = (): void => {
      this.busy = true;
      void live_command(name, values)
        .then((state) => this.on_state(state))
        .catch((error: unknown) => this.tell(error instanceof Error ? error.message : String(error)))
        .finally(() => {
          this.busy = false;
          const next = this.waiting;
          this.waiting = undefined;
          next?.();
        });
    };
    if (this.busy) this.waiting = ask;
    else ask();
  }

  private tell(text: string): void {
    this.trouble.hidden = !text;
    if (this.trouble.textContent !== text) this.trouble.textContent = text;
  }

  show(state: LiveState): void {
    this.playing = state.playing;
    const label = state.playing ? "Pause" : "Go on";
    if (this.play.title !== label) {
      this.play.replaceChildren(icon(state.playing ? "pause" : "play"));
      this.play.title = label;
      this.play.setAttribute("aria-label", label);
    }
    const slow = state.playing && state.pace < 0.9 ? ` (${number_text(100 * state.pace, 2)} % of the speed)` : "";
    this.clock.textContent = `${state.time.toFixed(2)} s${slow}`;
    this.tell(state.trouble);
    const names = state.parameters.map(({ name }) => name).join();
    if (names !== [...this.sliders.keys()].join()) {
      this.sliders = new Map(state.parameters.map((parameter) => [parameter.name, new Slider(parameter, (name, values) => this.send(name, values))]));
      this.list.replaceChildren(...[...this.sliders.values()].map((slider) => slider.element));
    }
    for (const parameter of state.parameters) this.sliders.get(parameter.name)?.show(parameter);
  }
}
