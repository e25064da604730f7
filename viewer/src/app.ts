// The whole page: drawing, timeline, tree, plots, kept in step.
import type { Run } from "./data/run";
import { listen_to_keys } from "./keys";
import { Playback } from "./playback";
import { Overlay } from "./stage/overlay";
import { body_color } from "./stage/solids";
import { Stage } from "./stage/stage";
import type { ViewName } from "./stage/view_camera";
import { Theme } from "./theme";
import { Balance } from "./ui/balance";
import { h, icon, icon_button } from "./ui/dom";
import { help_dialog } from "./ui/help";
import { Inspector } from "./ui/inspector";
import type { PlotContext } from "./ui/plot_panel";
import { Plots } from "./ui/plots";
import { print_whole } from "./ui/print";
import { RunPage } from "./ui/run_page";
import { Tabs } from "./ui/tabs";
import { Timeline } from "./ui/timeline";
import { Toolbar } from "./ui/toolbar";
import { Tree } from "./ui/tree";
import type { TreeNode } from "./ui/tree_nodes";

export interface AppOptions {
  theme?: string;
  time?: number;
  paused?: boolean;
  /** only the drawing and the timeline */
  embed?: boolean;
  /** the keys work wherever the focus is */
  whole_page?: boolean;
  /** only the drawing, without anything to click */
  bare?: boolean;
  /** where to look from: "front", "side", "top", "oblique" or "iso" */
  view?: string;
  /** shown in the drawing from the start: "traces", "axes", ... */
  show?: string[];
  /** controls of a model that runs, in place of the timeline */
  live?: HTMLElement;
  /** what the space bar does then */
  toggle?: () => void;
}

export class App {
  readonly playback: Playback;
  readonly theme: Theme;
  readonly stage: Stage | undefined;
  private readonly plots: Plots;
  private readonly balance: Balance;
  private readonly run_page: RunPage;
  private readonly tree: Tree;
  private readonly inspector: Inspector;
  private readonly toolbar: Toolbar | undefined;
  private readonly context: PlotContext;
  private readonly status = h("span", { class: "status" });
  private readonly host = h("div", { class: "stage" });
  private readonly help = help_dialog();

  constructor(
    private readonly root: HTMLElement,
    private runs: Run[],
    options: AppOptions = {},
  ) {
    root.classList.add("trammel");
    share_units(runs);
    this.theme = new Theme(root, options.theme);
    this.playback = new Playback(...this.range());
    this.context = {
      runs,
      playback: this.playback,
      theme: this.theme,
      range: null,
      set_range: (range) => this.set_range(range),
    };
    this.plots = new Plots(this.context);
    this.balance = new Balance(this.context);
    this.run_page = new RunPage(runs);
    this.inspector = this.make_inspector();
    this.tree = this.make_tree();
    this.plots.on_change = () => this.tree.draw();
    if (options.embed || options.bare) root.classList.add("embed");
    if (options.bare) root.classList.add("bare");
    this.lay_out(options.live);
    this.stage = this.make_stage();
    if (this.stage) {
      // Paths make a small mechanism speak; in a large one they are a tangle.
      this.stage.options.traces = this.runs[0].scene!.bodies.length <= 6 && this.runs[0].frame_time.length < 5000 && !options.live;
      for (const name of options.show ?? []) if (name in this.stage.options) this.stage.options[name as "traces"] = true;
      this.stage.apply_options();
      this.toolbar = new Toolbar(this.stage, this.playback);
      this.host.append(this.toolbar.element);
      new Overlay(this.host, this.stage);
      this.stage.on_pick = (body) => this.select_body(body);
      const view = options.view === "iso" ? "oblique" : options.view;
      if (view) this.stage.look(view as ViewName);
    }
    this.playback.on_change(() => this.time_changed());
    this.theme.on_change(() => this.theme_changed());
    this.listen(options.whole_page ?? false, options.toggle);
    if (options.whole_page) this.print();
    this.show_status();
    if (options.time !== undefined) this.playback.seek(options.time);
    else this.time_changed();
    const still = window.matchMedia?.("(prefers-reduced-motion: reduce)").matches;
    if (!options.paused && !options.live && !still && this.stage && this.runs[0].header.run.outcome !== "running") this.playback.play();
  }

  // --- parts

  private lay_out(live?: HTMLElement): void {
    const record = this.runs[0].header.run;
    const warnings = this.runs.reduce((sum, run) => sum + run.header.run.warnings.length + (run.header.run.message ? 1 : 0), 0);
    const tabs = new Tabs(
      [
        { name: "Plots", content: this.plots.element },
        { name: "Balance", content: this.balance.element },
        { name: "Run", content: this.run_page.element, mark: warnings ? String(warnings) : undefined },
      ],
      "Results",
    );
    const header = h(
      "header",
      { class: "top" },
      logo(),
      h("h1", {}, record.name || "Results"),
      this.status,
      this.runs.length > 1 && h("span", { class: "overlaid" }, ...this.runs.map((run, i) => h("span", { class: `run-${i}` }, run.label))),
      h("span", { class: "spring" }),
      icon_button("left", "Model panel", () => this.toggle_panel("left"), "["),
      icon_button("right", "Results panel", () => this.toggle_panel("right"), "]"),
      this.theme_button(),
      icon_button("help", "Keys", () => this.help.showModal(), "?"),
    );
    const timeline = live ?? new Timeline(this.playback).element;
    const left = h("aside", { class: "left", "aria-label": "Model" }, this.tree.element, this.inspector.element);
    const middle = h("main", { class: "middle" }, this.host, timeline);
    const right = h("aside", { class: "right", "aria-label": "Results" }, tabs.element);
    this.root.replaceChildren(header, left, middle, right, this.help);
  }

  private print(): void {
    print_whole({
      root: this.root,
      theme: this.theme,
      stage: this.stage,
      host: this.host,
      pages: [
        ["Plots", this.plots.element],
        ["Balance", this.balance.element],
        ["Run", this.run_page.element],
      ],
      set_paper: (on) => {
        this.context.paper = on;
        this.plots.rebuild();
        this.balance.rebuild();
      },
    });
  }

  private theme_button(): HTMLElement {
    const button = icon_button(this.theme.name === "dark" ? "sun" : "moon", "Dark or light", () => this.theme.toggle(), "D");
    this.theme.on_change(() => button.replaceChildren(icon(this.theme.name === "dark" ? "sun" : "moon")));
    return button;
  }

  private make_stage(): Stage | undefined {
    if (!this.runs[0].scene) {
      this.host.append(h("p", { class: "message" }, "This file tells nothing about the mechanism, so there is nothing to draw. The plots show its channels."));
      return undefined;
    }
    try {
      return new Stage(this.host, this.runs, this.theme);
    } catch {
      this.host.append(
        h(
          "p",
          { class: "message", role: "alert" },
          h("strong", {}, "The animation needs WebGL 2, which this browser does not offer."),
          " Turn on hardware acceleration or try another browser. Plots, balance and model work without it.",
        ),
      );
      return undefined;
    }
  }

  private make_tree(): Tree {
    return new Tree(this.runs[0], {
      select: (node) => this.select(node),
      plot: (channels) => this.plots.add(channels),
      unplot: (channels) => channels.forEach((name) => this.plots.remove(name)),
      plotted: () => this.plots.plotted,
      color: (body) => `#${body_color(this.theme.palette, body, this.runs[0].scene?.bodies.length ?? 1).getHexString()}`,
    });
  }

  private make_inspector(): Inspector {
    return new Inspector(this.runs[0].scene, {
      follow: (body) => this.stage?.follow(body),
      followed: () => this.stage?.followed ?? -1,
      trace: (body, frame) => this.trace(body, frame),
      traced: (body, frame) => Boolean(this.stage?.options.traces && this.stage.main.traces.has(this.stage.main.traced_point(body, frame))),
      close: () => this.drop_selection(),
      can_draw: () => this.stage !== undefined,
    });
  }

  // --- what happens

  private select(node: TreeNode): void {
    this.inspector.show(node.kind, node.index);
    const scene = this.runs[0].scene;
    if (node.kind === "body") this.stage?.select(node.index);
    else this.stage?.select(-1);
    if (scene) this.tree.mark(node.id);
  }
  private select_body(body: number): void {
    if (body < 0) this.drop_selection();
    else {
      this.stage?.select(body);
      this.inspector.show("body", body);
      this.tree.mark(`body:${this.runs[0].scene!.bodies[body].name}`);
    }
  }
  private drop_selection(): void {
    this.stage?.select(-1);
    this.inspector.hide();
    this.tree.mark("");
  }

  private trace(body: number, frame?: number): void {
    const { stage } = this;
    if (!stage) return;
    // The first point that one chooses replaces the points shown by default.
    if (!stage.options.traces) {
      for (const mechanism of stage.mechanisms) mechanism.traces.clear();
      stage.options.traces = true;
    }
    for (const mechanism of stage.mechanisms) mechanism.traces.toggle(mechanism.traced_point(body, frame));
    if (!stage.main.traces.count) stage.options.traces = false;
    stage.apply_options();
    this.toolbar?.update();
  }

  private time_changed(): void {
    this.stage?.set_time(this.playback.time);
    this.plots.set_time();
    this.balance.set_time();
  }
  private theme_changed(): void {
    this.plots.rebuild();
    this.balance.rebuild();
    this.tree.draw();
  }
  private set_range(range: [number, number] | null): void {
    this.context.range = range;
    this.plots.refresh();
    this.balance.refresh();
  }
  private toggle_panel(side: "left" | "right"): void {
    this.root.classList.toggle(`no-${side}`);
  }

  private focus_search(): void {
    // The panel may be closed.
    if (!this.tree.search.offsetParent) this.toggle_panel("left");
    this.tree.search.focus();
  }

  private range(): [number, number] {
    return [Math.min(...this.runs.map((run) => run.start)), Math.max(...this.runs.map((run) => run.end))];
  }

  /** New results of the same runs. */
  update_runs(runs: Run[]): void {
    share_units(runs);
    this.runs = runs;
    this.context.runs = runs;
    this.stage?.set_runs(runs);
    this.playback.set_range(...this.range());
    this.plots.refresh();
    this.balance.build();
    this.run_page.show(runs);
    this.tree.set_run(runs[0]);
    this.show_status();
  }

  private show_status(): void {
    const { outcome, message } = this.runs[0].header.run;
    this.status.className = `status ${outcome}`;
    this.status.textContent = outcome;
    this.status.title = message;
  }

  private step(event: KeyboardEvent, direction: number): void {
    const time = this.runs[0].frame_time;
    if (!time.length) return;
    this.playback.play(false);
    let i = time.findIndex((t) => t >= this.playback.time - 1e-12);
    if (i < 0) i = time.length - 1;
    i += direction * (event.shiftKey ? 10 : 1);
    this.playback.seek(time[Math.min(time.length - 1, Math.max(0, i))]);
  }

  private listen(whole_page: boolean, toggle?: () => void): void {
    const { playback } = this;
    const show = (option: Parameters<Toolbar["toggle"]>[0]) => () => this.toolbar?.toggle(option);
    listen_to_keys(whole_page ? document : this.root, {
      " ": () => (toggle ? toggle() : playback.toggle()),
      ArrowRight: (event) => this.step(event, 1),
      ArrowLeft: (event) => this.step(event, -1),
      Home: () => playback.seek(playback.start),
      End: () => playback.seek(playback.end),
      "+": () => playback.faster(1),
      "=": () => playback.faster(1),
      "-": () => playback.faster(-1),
      l: () => playback.toggle_loop(),
      f: () => this.stage?.look(),
      "1": () => this.stage?.look("oblique"),
      "2": () => this.stage?.look("front"),
      "3": () => this.stage?.look("side"),
      "4": () => this.stage?.look("top"),
      t: show("traces"),
      j: show("axes"),
      r: show("reactions"),
      a: show("forces"),
      n: show("labels"),
      g: show("grid"),
      d: () => this.theme.toggle(),
      "/": () => this.focus_search(),
      "[": () => this.toggle_panel("left"),
      "]": () => this.toggle_panel("right"),
      "?": () => this.help.showModal(),
      Escape: () => this.drop_selection(),
    });
  }
}

/** Numbers beside each other are in the same units: those of the first run. */
function share_units(runs: Run[]): void {
  for (const run of runs.slice(1)) run.set_display(runs[0].header.display);
}

/** The ellipse trammel that gave the name: two sliders on a cross, and the ellipse they draw. */
function logo(): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "logo");
  svg.setAttribute("viewBox", "0 0 32 32");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", "Trammel");
  svg.innerHTML =
    '<ellipse cx="16" cy="16" rx="14" ry="9"/><path d="M2 16h28M16 4v24"/><path class="bar" d="M27.2 10.4L16 20.4"/><circle cx="16" cy="20.4" r="2.2"/><circle cx="21" cy="16" r="2.2"/>';
  return svg;
}
