// Light and dark: the colours of the drawing. Those of the page are in style.css.

export interface Palette {
  background: number;
  grid: number;
  grid_strength: number;
  outline: number;
  shadow: number;
  ground: number;
  pin: number;
  axis: number;
  force: number;
  reaction: number;
  selected: number;
  spring: number;
  bodies: number[];
  /** for more bodies than colours: from, over, to */
  ramp: [number, number, number];
  /** of the second, third, ... run */
  ghosts: number[];
}

const light: Palette = {
  background: 0xf7f8fa,
  grid: 0x9aa7b8,
  grid_strength: 0.62,
  outline: 0x2b3744,
  shadow: 0xe6eaee,
  ground: 0x7c8794,
  pin: 0xfbfcfd,
  axis: 0xb4453a,
  force: 0xc2410c,
  reaction: 0x0f766e,
  selected: 0x1f6feb,
  spring: 0x9aa5b1,
  bodies: [0x6f93b8, 0xd9a54a, 0x7fab86, 0xc97b6b, 0x8f86b5, 0x5ea5a8, 0xa99d8e, 0xb58aa5],
  ramp: [0x4c7fb0, 0x6fb3a5, 0xe0b354],
  ghosts: [0xd97706, 0x9333ea, 0x059669],
};

const dark: Palette = {
  background: 0x10151b,
  grid: 0x6b7a8c,
  grid_strength: 0.75,
  outline: 0x05080b,
  shadow: 0x0b0f14,
  ground: 0x5d6977,
  pin: 0xdfe5ec,
  axis: 0xff8a7a,
  force: 0xff9457,
  reaction: 0x4fd1c5,
  selected: 0x58a6ff,
  spring: 0xb8c2cd,
  bodies: [0x6c9fd1, 0xe2b45f, 0x86bd8f, 0xdb8a79, 0xa49ad2, 0x62b9bd, 0xb9ac9b, 0xc99bb8],
  ramp: [0x4f93d6, 0x6cc3b1, 0xf0c267],
  ghosts: [0xf59e0b, 0xc084fc, 0x34d399],
};

/** Lines of plots, distinct for people who see few colours (after Okabe and Ito). */
const light_lines = ["#1f6fb2", "#d9730d", "#1c8a63", "#b2478a", "#7a6a00", "#5a9bd4", "#a03d2e", "#666f7a"];
const dark_lines = ["#5fb0f2", "#f5a65b", "#4fcf9f", "#e58ac0", "#e3d34f", "#9fd0f7", "#f2806d", "#b3bcc6"];

export type ThemeName = "light" | "dark";

export class Theme {
  name: ThemeName;
  private listeners: (() => void)[] = [];

  constructor(
    private readonly root: HTMLElement,
    wanted?: string,
  ) {
    const system = window.matchMedia?.("(prefers-color-scheme: dark)");
    this.name = wanted === "dark" || wanted === "light" ? wanted : system?.matches ? "dark" : "light";
    if (!wanted) system?.addEventListener("change", (event) => this.set(event.matches ? "dark" : "light"));
    this.root.dataset.theme = this.name;
  }

  get palette(): Palette {
    return this.name === "dark" ? dark : light;
  }
  get lines(): string[] {
    return this.name === "dark" ? dark_lines : light_lines;
  }
  /** A colour of the style sheet. */
  css(name: string): string {
    return getComputedStyle(this.root).getPropertyValue(`--${name}`).trim();
  }
  on_change(listener: () => void): void {
    this.listeners.push(listener);
  }
  set(name: ThemeName): void {
    this.name = name;
    this.root.dataset.theme = name;
    for (const listener of this.listeners) listener();
  }
  toggle(): void {
    this.set(this.name === "dark" ? "light" : "dark");
  }
}
