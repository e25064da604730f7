// What lies over the drawing: the directions of the axes and the names of bodies.
import * as THREE from "three";
import { h } from "../ui/dom";
import { number_text } from "../ui/numbers";
import type { Stage } from "./stage";

const most_labels = 40;

export class Overlay {
  private readonly triad: SVGSVGElement;
  private readonly names = h("div", { class: "names", "aria-hidden": "true" });
  private readonly scale = h("div", { class: "scale" });
  private labels: HTMLElement[] = [];

  constructor(
    host: HTMLElement,
    private readonly stage: Stage,
  ) {
    this.triad = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.triad.setAttribute("class", "triad");
    this.triad.setAttribute("viewBox", "-32 -32 64 64");
    this.triad.setAttribute("aria-hidden", "true");
    host.append(this.triad, this.scale, this.names);
    stage.on_draw.push(() => this.update());
  }

  private update(): void {
    const inverse = this.stage.camera.active.quaternion.clone().invert();
    const parts = (["x", "y", "z"] as const)
      .map((name) => {
        const axis = new THREE.Vector3();
        axis[name] = 1;
        return { name, axis: axis.applyQuaternion(inverse) };
      })
      .sort((a, b) => a.axis.z - b.axis.z)
      .filter(({ axis }) => Math.hypot(axis.x, axis.y) > 0.05)
      .map(({ name, axis }) => {
        const [x, y] = [axis.x * 20, -axis.y * 20];
        return `<line class="${name}" x1="0" y1="0" x2="${x}" y2="${y}"/><text x="${x * 1.36}" y="${y * 1.36 + 3.5}">${name}</text>`;
      });
    this.triad.innerHTML = parts.join("");
    this.scale.textContent = this.stage.options.grid ? `grid ${length_text(this.stage.grid_step)}` : "";
    this.update_names();
  }

  private update_names(): void {
    const { main, options } = this.stage;
    const shown = options.labels && main ? Math.min(most_labels, main.scene.bodies.length) : 0;
    while (this.labels.length < shown) {
      const label = h("span", {}, main.scene.bodies[this.labels.length].name);
      this.labels.push(label);
      this.names.append(label);
    }
    this.names.hidden = shown === 0;
    const point = new THREE.Vector3();
    const { clientWidth: width, clientHeight: height } = this.stage.canvas;
    for (let i = 0; i < shown; ++i) {
      const part = main.scene.bodies[i].parts[0];
      const [x, y, z] = part?.position ?? [0, 0, 0];
      main.world({ body: i, label: "", position: [x, y, z] }, point).project(this.stage.camera.active);
      const left = (0.5 + point.x / 2) * width;
      const top = (0.5 - point.y / 2) * height;
      this.labels[i].style.transform = `translate(${left.toFixed(1)}px, ${top.toFixed(1)}px) translate(-50%, -50%)`;
    }
  }
}

export function length_text(metres: number): string {
  if (metres >= 1000) return `${number_text(metres / 1000)} km`;
  if (metres >= 1) return `${number_text(metres)} m`;
  if (metres >= 1e-3) return `${number_text(metres * 1e3)} mm`;
  return `${number_text(metres * 1e6)} µm`;
}
