// Starts the viewer: with the run in the page, with those that a server offers, or where a script mounts it.
import { App, type AppOptions } from "./app";
import { embedded_run } from "./data/embedded";
import type { Header } from "./data/format";
import { live_state } from "./data/live";
import { Run } from "./data/run";
import { served_run, served_states, type ServedState } from "./data/served";
import { show_live } from "./live";
import style from "./style.css?inline";
import plot_style from "uplot/dist/uPlot.min.css?inline";

const poll_interval = 1000; // ms

const name_prefix = "trammel:";

/**
 * Settings in the address: report.html#t=0.5&theme=dark&paused&embed&show=traces,axes
 * Frames without address (srcdoc) have them in their name: <iframe name="trammel:embed&paused" srcdoc="...">
 */
function options_from_address(): AppOptions {
  const given = location.hash.slice(1) || (window.name.startsWith(name_prefix) ? window.name.slice(name_prefix.length) : "");
  const words = new URLSearchParams(given);
  const time = words.get("t");
  return {
    whole_page: true,
    theme: words.get("theme") ?? undefined,
    time: time === null || !Number.isFinite(Number(time)) ? undefined : Number(time),
    paused: words.has("paused"),
    embed: words.has("embed"),
    bare: words.has("bare"),
    view: words.get("view") ?? undefined,
    show: words.get("show")?.split(","),
  };
}

function add_style(): void {
  if (document.getElementById("trammel-style")) return;
  const sheet = document.createElement("style");
  sheet.id = "trammel-style";
  sheet.textContent = plot_style + style;
  document.head.append(sheet);
}

/** Shows a pack (see trammel::report::make_pack) in an element of any page; its size is that of the element. */
export function mount(element: HTMLElement, header: Header, numbers: ArrayBuffer, options: AppOptions = {}): App {
  add_style();
  const app = new App(element, [new Run(header, numbers, "")], options);
  remember(element, app);
  return app;
}

function show_failure(root: HTMLElement, error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  const message = document.createElement("p");
  message.className = "trammel-failure";
  message.setAttribute("role", "alert");
  message.textContent = `The results cannot be shown. ${text}`;
  root.replaceChildren(message);
}

/** Scripts of the page that holds the viewer find it as `element.trammel`. */
function remember(root: HTMLElement, app: App): void {
  Object.assign(root, { trammel: app });
  root.dataset.ready = "true";
}

async function load_all(states: ServedState[]): Promise<Run[]> {
  return Promise.all(states.map((state, i) => served_run(i, state.label)));
}

const signature = (states: ServedState[]): string => states.map(({ rows, outcome }) => `${rows}:${outcome}`).join();

async function serve(root: HTMLElement): Promise<void> {
  const live = await live_state();
  if (live) {
    remember(root, await show_live(root, live, options_from_address()));
    return;
  }
  let states = await served_states();
  const app = new App(root, await load_all(states), options_from_address());
  remember(root, app);
  app.playback.follow_end = states.some((state) => state.outcome === "running");
  let known = signature(states);
  const poll = async (): Promise<void> => {
    try {
      states = await served_states();
      if (signature(states) !== known) {
        known = signature(states);
        app.update_runs(await load_all(states));
      }
      root.classList.remove("gone");
    } catch {
      // The server has ended: what was loaded stays.
      root.classList.add("gone");
    }
    setTimeout(() => void poll(), poll_interval);
  };
  setTimeout(() => void poll(), poll_interval);
}

function start(): void {
  const root = document.getElementById("trammel");
  if (!root) return;
  add_style();
  try {
    const run = embedded_run();
    if (run) remember(root, new App(root, [run], options_from_address()));
    else serve(root).catch((error: unknown) => show_failure(root, error));
  } catch (error) {
    show_failure(root, error);
  }
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
