// Pages behind tabs; arrow keys go from one to the next.
import { h } from "./dom";

export interface Tab {
  name: string;
  content: HTMLElement;
  /** a small mark, for warnings */
  mark?: string;
}

export class Tabs {
  readonly element: HTMLElement;
  private readonly buttons: HTMLButtonElement[];

  constructor(
    private readonly tabs: Tab[],
    label: string,
  ) {
    this.buttons = tabs.map((tab, i) =>
      h(
        "button",
        { role: "tab", type: "button", id: `tab-${tab.name}`, "aria-controls": `page-${tab.name}`, onclick: () => this.show(i) },
        tab.name,
        tab.mark ? h("span", { class: "badge" }, tab.mark) : null,
      ),
    );
    const bar = h("div", { class: "tabs", role: "tablist", "aria-label": label }, ...this.buttons);
    bar.addEventListener("keydown", (event) => {
      const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (!step) return;
      const next = (this.buttons.indexOf(document.activeElement as HTMLButtonElement) + step + tabs.length) % tabs.length;
      this.show(next);
      this.buttons[next].focus();
      event.preventDefault();
      event.stopPropagation();
    });
    const pages = tabs.map((tab) => {
      tab.content.id = `page-${tab.name}`;
      tab.content.setAttribute("role", "tabpanel");
      tab.content.setAttribute("aria-labelledby", `tab-${tab.name}`);
      return tab.content;
    });
    this.element = h("div", { class: "tabbed" }, bar, ...pages);
    this.show(0);
  }

  show(number: number): void {
    this.tabs.forEach((tab, i) => {
      tab.content.hidden = i !== number;
      this.buttons[i].setAttribute("aria-selected", String(i === number));
      this.buttons[i].tabIndex = i === number ? 0 : -1;
    });
  }
}
