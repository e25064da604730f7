// The tree on the left: searchable, drawn only where it is visible, so that 10,000 bodies are no burden.
import type { Run } from "../data/run";
import { h, icon } from "./dom";
import { unit_text } from "./numbers";
import { build_tree, search_tree, type TreeNode } from "./tree_nodes";

const row_height = 26;
const most_found = 400;

interface Row {
  node: TreeNode;
  level: number;
}

export interface TreeActions {
  select(node: TreeNode): void;
  plot(channels: string[]): void;
  unplot(channels: string[]): void;
  plotted(): Set<string>;
  color(body: number): string;
}

export class Tree {
  readonly element: HTMLElement;
  readonly search: HTMLInputElement;
  private tree: TreeNode[];
  private readonly open = new Set<string>();
  private rows: Row[] = [];
  private current = 0;
  private selected = "";
  private readonly list = h("div", { class: "rows", role: "tree", tabindex: "0", "aria-label": "Model and channels" });
  private readonly space = h("div", { class: "space" });

  constructor(
    private run: Run,
    private readonly actions: TreeActions,
  ) {
    this.tree = build_tree(run);
    for (const node of this.tree) if (node.children().length <= 60) this.open.add(node.id);
    this.search = h("input", {
      type: "search",
      placeholder: "Search model and channels",
      "aria-label": "Search model and channels",
      spellcheck: "false",
    });
    this.search.addEventListener("input", () => this.update());
    this.search.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown") this.list.focus();
      if (event.key === "Escape") this.clear_search();
      if (event.key === "Enter") this.take_first();
      event.stopPropagation();
    });
    this.list.append(this.space);
    this.element = h("div", { class: "tree" }, h("label", { class: "search" }, icon("search"), this.search), this.list);
    this.list.addEventListener("scroll", () => this.draw());
    this.list.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(this.list);
    this.update();
  }

  set_run(run: Run): void {
    this.run = run;
    this.tree = build_tree(run);
    this.update();
  }

  /** What Enter in the search does: the first thing found is plotted, or selected. */
  private take_first(): void {
    if (!this.search.value.trim() || !this.rows.length) return;
    this.current = 0;
    const { node } = this.rows[0];
    if (node.channels.length && node.channels.every((name) => this.actions.plotted().has(name))) return;
    this.activate(node, false);
  }

  private clear_search(): void {
    this.search.value = "";
    this.search.blur();
    this.update();
  }

  update(): void {
    this.rows = [];
    const text = this.search.value.trim();
    if (text) {
      this.rows = search_tree(this.run, this.tree, text, most_found).map((node) => ({ node, level: 1 }));
    } else {
      for (const node of this.tree) this.collect(node, 1);
    }
    this.current = Math.min(this.current, Math.max(0, this.rows.length - 1));
    this.space.style.height = `${this.rows.length * row_height}px`;
    this.draw();
  }

  private collect(node: TreeNode, level: number): void {
    this.rows.push({ node, level });
    if (!this.open.has(node.id)) return;
    for (const child of node.children()) this.collect(child, level + 1);
  }

  mark(id: string): void {
    this.selected = id;
    const row = this.rows.findIndex(({ node }) => node.id === id);
    if (row >= 0) this.show(row);
    this.draw();
  }

  draw(): void {
    const first = Math.max(0, Math.floor(this.list.scrollTop / row_height) - 4);
    const last = Math.min(this.rows.length, first + Math.ceil((this.list.clientHeight || 600) / row_height) + 8);
    const plotted = this.actions.plotted();
    const visible = [];
    for (let i = first; i < last; ++i) visible.push(this.row(i, plotted));
    if (!this.rows.length) visible.push(h("p", { class: "nothing" }, "Nothing has this name."));
    this.list.replaceChildren(this.space, ...visible);
    const current = this.rows[this.current];
    if (current) this.list.setAttribute("aria-activedescendant", `row-${this.current}`);
  }

  private row(i: number, plotted: Set<string>): HTMLElement {
    const { node, level } = this.rows[i];
    const shown = node.channels.length > 0 && node.channels.every((name) => plotted.has(name));
    const element = h(
      "div",
      {
        id: `row-${i}`,
        class: `row ${node.kind}${i === this.current ? " current" : ""}${shown ? " plotted" : ""}`,
        role: "treeitem",
        style: `top:${i * row_height}px;padding-left:${8 + (level - 1) * 14}px`,
        "aria-level": level,
        "aria-selected": String(node.id === this.selected || shown),
        "aria-expanded": node.expandable ? String(this.open.has(node.id)) : undefined,
        draggable: node.channels.length ? "true" : undefined,
        title: node.channels.length === 1 ? (this.run.channel(node.channels[0])?.description ?? "") : "",
      },
      h("span", { class: "twisty" }),
      node.kind === "body" && h("i", { class: "swatch", style: `background:${this.actions.color(node.index)}` }),
      !["section", "body", "group", "channel"].includes(node.kind) && node.index >= 0 && h("i", { class: `mark ${node.kind}` }),
      h("span", { class: "label" }, node.label),
      node.note && h("span", { class: "note" }, node.kind === "channel" || node.kind === "group" ? unit_text(node.note) : node.note),
    );
    element.addEventListener("click", (event) => {
      this.current = i;
      const on_twisty = (event.target as HTMLElement).classList.contains("twisty");
      this.activate(node, on_twisty);
    });
    element.addEventListener("dragstart", (event) => event.dataTransfer?.setData("text/plain", node.channels.join("\n")));
    return element;
  }

  private activate(node: TreeNode, only_open: boolean): void {
    if (node.kind === "channel" || (node.channels.length && !only_open && node.kind !== "group")) {
      const shown = node.channels.every((name) => this.actions.plotted().has(name));
      if (shown) this.actions.unplot(node.channels);
      else this.actions.plot(node.channels);
    } else {
      this.toggle(node);
      if (node.index >= 0 && !only_open) {
        this.selected = node.id;
        this.actions.select(node);
      }
    }
    this.update();
  }

  private toggle(node: TreeNode, open = !this.open.has(node.id)): void {
    if (open) this.open.add(node.id);
    else this.open.delete(node.id);
  }

  private show(row: number): void {
    const top = row * row_height;
    const { scrollTop, clientHeight } = this.list;
    if (top < scrollTop) this.list.scrollTop = top;
    if (top + row_height > scrollTop + clientHeight) this.list.scrollTop = top + row_height - clientHeight;
  }

  private key(event: KeyboardEvent): void {
    const row = this.rows[this.current];
    if (!row) return;
    const move = (to: number): void => {
      this.current = Math.min(this.rows.length - 1, Math.max(0, to));
      this.show(this.current);
    };
    switch (event.key) {
      case "ArrowDown":
        move(this.current + 1);
        break;
      case "ArrowUp":
        move(this.current - 1);
        break;
      case "PageDown":
        move(this.current + 12);
        break;
      case "PageUp":
        move(this.current - 12);
        break;
      case "ArrowRight":
        if (row.node.expandable && !this.open.has(row.node.id)) this.toggle(row.node, true);
        else move(this.current + 1);
        break;
      case "ArrowLeft":
        if (this.open.has(row.node.id)) this.toggle(row.node, false);
        else move(this.parent_row());
        break;
      case "Enter":
        if (row.node.kind === "group" && row.node.channels.length) this.actions.plot(row.node.channels);
        else this.activate(row.node, false);
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
    this.update();
  }

  private parent_row(): number {
    const { level } = this.rows[this.current];
    for (let i = this.current - 1; i >= 0; --i) if (this.rows[i].level < level) return i;
    return this.current;
  }
}
