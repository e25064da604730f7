// The page on paper: browsers ask for it by `beforeprint` and wait for nothing, so all of it is made at once.
import type { Stage } from "../stage/stage";
import type { Theme } from "../theme";
import { h } from "./dom";

export interface Printed {
  root: HTMLElement;
  theme: Theme;
  stage: Stage | undefined;
  /** the element of the drawing */
  host: HTMLElement;
  /** pages behind tabs, all of which are printed */
  pages: [string, HTMLElement][];
  set_paper(on: boolean): void;
}

/** Lays everything out below each other in light colours while the browser prints, and puts it back afterwards. */
export function print_whole(parts: Printed): void {
  const { root, theme, host, pages } = parts;
  let put_back: (() => void) | undefined;
  for (const [name, page] of pages) page.before(h("h2", { class: "paper-heading" }, name));
  const begin = (): void => {
    if (put_back) return;
    const colours = theme.name;
    const hidden = pages.map(([, page]) => page.hidden);
    const folded = [...root.querySelectorAll("details")].filter((part) => !part.open);
    theme.set("light");
    const picture = parts.stage && h("img", { class: "paper-picture", alt: "The mechanism", src: parts.stage.picture() });
    if (picture) host.append(picture);
    root.classList.add("paper");
    for (const [, page] of pages) page.hidden = false;
    for (const part of folded) part.open = true;
    parts.set_paper(true);
    put_back = () => {
      put_back = undefined;
      picture?.remove();
      root.classList.remove("paper");
      pages.forEach(([, page], i) => (page.hidden = hidden[i]));
      for (const part of folded) part.open = false;
      parts.set_paper(false);
      theme.set(colours);
    };
  };
  window.addEventListener("beforeprint", begin);
  window.addEventListener("afterprint", () => put_back?.());
}
