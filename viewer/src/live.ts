// Shows a model that runs on the server: asks for its motion several times a second, draws it a moment late and so without
// jerks, and sends what the user wants of it.
import { App, type AppOptions } from "./app";
import { live_state, type LiveState } from "./data/live";
import { served_run } from "./data/served";
import { LivePanel } from "./ui/live_panel";

const poll_interval = 120; // ms
const delay = 0.2; // s that the picture is behind the model
const drag_interval = 40; // ms

export async function show_live(root: HTMLElement, first: LiveState, options: AppOptions): Promise<App> {
  let state = first;
  let received = performance.now();
  const panel = new LivePanel((answer) => take(answer));
  const app = new App(root, [await served_run(0, first.label)], { ...options, live: panel.element, toggle: () => panel.send(state.playing ? "pause" : "play") });

  const take = (answer: LiveState): void => {
    state = answer;
    received = performance.now();
    panel.show(state);
  };
  take(first);

  const poll = async (): Promise<void> => {
    try {
      const answer = await live_state();
      if (!answer) throw new Error("no live model");
      app.update_runs([await served_run(0, answer.label)]);
      take(answer);
      root.classList.remove("gone");
    } catch {
      // The server has ended: what was loaded stays.
      root.classList.add("gone");
    }
    setTimeout(() => void poll(), poll_interval);
  };
  setTimeout(() => void poll(), poll_interval);

  const tick = (): void => {
    const since = (performance.now() - received) / 1000;
    const { playback } = app;
    const now = state.playing ? state.time - state.speed * state.pace * (delay - since) : playback.end;
    playback.show(now);
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  watch_drags(app, panel);
  return app;
}

/** Shift and the left button: a point of a body is pulled to the pointer, in the plane of the screen through that point. */
function watch_drags(app: App, panel: LivePanel): void {
  const { stage } = app;
  if (!stage) return;
  let dragged: { body: string; point: [number, number, number] } | undefined;
  let latest: PointerEvent | undefined; // moved to and not yet told
  const send = (event: PointerEvent): void => {
    latest = undefined;
    const target = dragged && stage.drag_target(event);
    if (!dragged || !target) return;
    const [x, y, z] = dragged.point;
    const [tx, ty, tz] = target;
    panel.send("drag", { body: dragged.body, x, y, z, tx, ty, tz });
  };
  stage.canvas.addEventListener(
    "pointerdown",
    (event) => {
      if (!event.shiftKey || event.button !== 0) return;
      const taken = stage.take_hold(event);
      if (!taken) return;
      event.stopImmediatePropagation();
      event.preventDefault();
      dragged = taken;
      stage.canvas.setPointerCapture(event.pointerId);
      send(event);
    },
    { capture: true },
  );
  // Few messages, but never without the last place.
  stage.canvas.addEventListener("pointermove", (event) => {
    if (!dragged) return;
    if (!latest) setTimeout(() => latest && send(latest), drag_interval);
    latest = event;
  });
  const release = (): void => {
    if (!dragged) return;
    dragged = undefined;
    latest = undefined;
    panel.send("release");
  };
  stage.canvas.addEventListener("pointerup", release, { capture: true });
  stage.canvas.addEventListener("pointercancel", release);
}
