// Where the numbers come from: method, what happened, software, how to do it again, the model file.
import type { Run } from "../data/run";
import { h, icon } from "./dom";
import { equations } from "./equations";
import { number_text, with_unit } from "./numbers";

function copy_button(text: string): HTMLButtonElement {
  const button = h("button", { class: "tool", type: "button", title: "Copy", "aria-label": "Copy" }, icon("copy"));
  button.addEventListener("click", () => {
    const done = (): void => {
      button.classList.add("done");
      setTimeout(() => button.classList.remove("done"), 900);
    };
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, () => copy_by_selection(text));
    else {
      copy_by_selection(text);
      done();
    }
  });
  return button;
}

/** For pages from file://, which have no clipboard in some browsers. */
function copy_by_selection(text: string): void {
  const area = h("textarea", { class: "off-screen" });
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

function definitions(list: [string, string][]): HTMLElement {
  const table = h("dl", { class: "facts broad" });
  for (const [name, text] of list) table.append(h("dt", {}, name), h("dd", {}, text));
  return table;
}

function card(title: string, ...content: (Node | string | null | false)[]): HTMLElement {
  return h("section", { class: "card" }, h("h2", {}, title), ...content);
}

function method_facts(run: Run): [string, string][] {
  const { run: record, scene } = run.header;
  const list: [string, string][] = [["method", record.method]];
  const settings = scene?.simulation;
  if (settings) {
    list.push(["integrator", settings.integrator]);
    for (const [name, value] of settings.values ?? []) {
      list.push([name.replace(/_/g, " "), typeof value === "number" ? number_text(value) : String(value)]);
    }
    list.push(["step", with_unit(number_text(settings.step), "s")], ["linear solver", settings.solver]);
  }
  const why = record.information.find(([name]) => name === "method_why")?.[1];
  list.push(["chosen", why ?? (/integrator:|method:/.test(record.model_text) ? "by the model file" : "by default: the model file names no integrator")]);
  return list;
}

export class RunPage {
  readonly element = h("div", { class: "page" });

  constructor(runs: Run[]) {
    this.show(runs);
  }

  show(runs: Run[]): void {
    this.element.replaceChildren(...runs.flatMap((run) => this.run(run, runs.length > 1)));
  }

  private run(run: Run, several: boolean): HTMLElement[] {
    const record = run.header.run;
    const information = new Map(record.information);
    const command = information.get("command") ?? (information.has("model_file") ? `trammel run ${information.get("model_file")}` : "");
    const formulas = equations(information);
    const warnings = record.warnings.map((text) => h("li", {}, text));
    if (record.message) warnings.unshift(h("li", { class: record.outcome }, record.message));
    const parts = [
      several && h("h1", { class: "run-name" }, run.label || record.name),
      warnings.length > 0 && card("Warnings", h("ul", { class: "warnings" }, ...warnings)),
      card("Method", definitions(method_facts(run))),
      record.facts.length > 0 && card("What happened", definitions(continued(record.facts))),
      formulas.length > 0 && card("Equations of motion", ...formulas, h("div", { class: "command" }, h("span", {}, "as LaTeX"), copy_button(information.get("equations_latex") ?? ""))),
      card(
        "Reproduce",
        command ? h("div", { class: "command" }, h("code", {}, command), copy_button(command)) : null,
        definitions([
          ["software", record.software || "unknown"],
          ["started", record.started.replace("T", " ").replace("Z", " UTC")],
          ["outcome", record.outcome],
          ["samples", this.samples_text(run)],
        ]),
      ),
      record.model_text
        ? h("details", { class: "card" }, h("summary", {}, "Model file"), h("div", { class: "source" }, copy_button(record.model_text), h("pre", { tabindex: "0" }, record.model_text)))
        : null,
    ];
    return parts.filter((part): part is HTMLElement => Boolean(part));
  }

  private samples_text(run: Run): string {
    const { rows, left_out, samples } = run.header;
    let text = `${rows.toLocaleString("en")} times, ${(samples.channels.length + left_out).toLocaleString("en")} channels`;
    if (samples.rows < rows) text += `; thinned to ${samples.rows.toLocaleString("en")} here, peaks kept`;
    if (left_out > 0) text += `; ${left_out.toLocaleString("en")} channels are only in the results file`;
    return text;
  }
}

/** An empty heading continues the text before it. */
function continued(facts: [string, string][]): [string, string][] {
  const list: [string, string][] = [];
  for (const [name, text] of facts) {
    if (name || !list.length) list.push([name, text]);
    else list[list.length - 1][1] += ` ${text}`;
  }
  return list;
}
