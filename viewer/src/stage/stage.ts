// The drawing: renderer, light, camera and the mechanisms of all runs. Draws only when something changed.
import * as THREE from "three";
import type { Run } from "../data/run";
import type { Theme } from "../theme";
import { GroundGrid } from "./ground_grid";
import { Mechanism } from "./mechanism";
import { ViewCamera, type ViewName } from "./view_camera";

export interface StageOptions {
  traces: boolean;
  axes: boolean;
  forces: boolean;
  reactions: boolean;
  grid: boolean;
  labels: boolean;
}

/** Up is against gravity, when that is along an axis. */
function up_of(run: Run): THREE.Vector3 {
  if (run.scene?.space === "planar") return new THREE.Vector3(0, 1, 0);
  const g = new THREE.Vector3(...(run.scene?.gravity ?? [0, 0, 0]));
  const axes = [new THREE.Vector3(1, 0, 0), new THREE.Vector3(0, 1, 0), new THREE.Vector3(0, 0, 1)];
  return axes.find((axis) => g.length() > 0 && -g.dot(axis) > 0.95 * g.length()) ?? axes[2];
}

export class Stage {
  readonly canvas = document.createElement("canvas");
  readonly options: StageOptions = { traces: false, axes: false, forces: false, reactions: false, grid: true, labels: false };
  readonly camera: ViewCamera;
  readonly up: THREE.Vector3;
  mechanisms: Mechanism[] = [];
  selected = -1;
  followed = -1;
  on_draw: (() => void)[] = [];
  on_pick?: (body: number) => void;
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly grid: GroundGrid;
  private readonly planar: boolean;
  private readonly drag_plane = new THREE.Plane();
  private waiting = false;
  private time = 0;

  constructor(
    private readonly host: HTMLElement,
    runs: Run[],
    private readonly theme: Theme,
  ) {
    this.planar = runs[0].scene?.space === "planar";
    this.up = up_of(runs[0]);
    this.canvas.className = "drawing";
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", "Animation of the mechanism. Space plays, arrow keys step through time.");
    const context = this.canvas.getContext("webgl2", { antialias: true, alpha: false });
    if (!context) throw new Error("WebGL 2 is missing");
    host.append(this.canvas);
    this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, context });
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
    this.camera = new ViewCamera(this.canvas, this.planar, this.up, () => this.draw_soon());
    this.grid = new GroundGrid(runs[0].scene?.size ?? 1, this.planar);
    this.scene.add(this.grid.mesh, this.camera.active);
    this.add_light();
    this.set_runs(runs);
    theme.on_change(() => this.paint());
    this.watch_pointer();
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
    this.camera.look();
  }

  /** From where there is something to see: a planar mechanism is a line from its side and from above. */
  get views(): ViewName[] {
    return this.planar ? ["oblique", "front"] : ["oblique", "front", "side", "top"];
  }
  get grid_step(): number {
    return this.grid.step;
  }
  get main(): Mechanism {
    return this.mechanisms[0];
  }

  private add_light(): void {
    const sky = new THREE.HemisphereLight(0xffffff, 0x9ba5b1, 2.0);
    sky.position.copy(this.up);
    this.scene.add(sky);
    // Over the left shoulder, wherever one looks from.
    const key = new THREE.DirectionalLight(0xffffff, 1.95);
    key.position.set(-2, 3, 4.5);
    this.camera.active.add(key, key.target);
  }

  set_runs(runs: Run[]): void {
    const traced = this.main?.traces.points ?? [];
    for (const mechanism of this.mechanisms) {
      this.scene.remove(mechanism.group);
      mechanism.dispose();
    }
    this.mechanisms = runs
      .filter((run) => run.scene)
      .map((run, i) => new Mechanism(run, run.scene!, this.up, i));
    const bounds = this.camera.bounds.makeEmpty();
    const points: THREE.Vector3[] = [];
    for (const mechanism of this.mechanisms) {
      this.scene.add(mechanism.group);
      for (const point of traced) mechanism.traces.add(point);
      bounds.union(mechanism.bounds(points));
    }
    this.camera.points = points;
    this.size_grid();
    this.place_grid();
    this.apply_options();
    this.resize();
  }

  /** For the model where it stays in place, for its way where it leaves. */
  private size_grid(): void {
    const size = this.main?.scene.size ?? 1;
    const way = this.camera.bounds.getSize(new THREE.Vector3()).length();
    this.grid.set_size(way > 3 * size ? 0.6 * way : size);
  }

  private place_grid(): void {
    const { bounds } = this.camera;
    const center = bounds.getCenter(new THREE.Vector3());
    if (this.planar) {
      this.grid.place(new THREE.Vector3(0, 0, -0.5 * (this.main?.scene.size ?? 1)), new THREE.Vector3(0, 0, 1));
      return;
    }
    // On the floor below everything, with its lines through the origin.
    const lowest = Math.min(bounds.min.dot(this.up), bounds.max.dot(this.up)) - 0.02 * (this.main?.scene.size ?? 1);
    const low = this.touches_ground(lowest) ? 0 : lowest;
    const snap = (x: number): number => Math.round(x / this.grid.step) * this.grid.step;
    const at = new THREE.Vector3(snap(center.x), snap(center.y), snap(center.z));
    at.addScaledVector(this.up, low - at.dot(this.up));
    this.grid.place(at, this.up);
    for (const mechanism of this.mechanisms) mechanism.solids.set_floor(this.up, low);
  }

  /** What rolls or falls on the plane through the origin should not hover above the floor. */
  private touches_ground(lowest: number): boolean {
    const { scene } = this.main;
    const plane = [...scene.joints, ...scene.forces].some(({ type, ends }) => /roll|contact|skate/.test(type) && ends.some(({ body, position }) => body < 0 && !position));
    return plane && Math.abs(lowest) < 0.5 * scene.size;
  }

  apply_options(): void {
    for (const mechanism of this.mechanisms) {
      mechanism.axes.mesh.visible = this.options.axes && mechanism.ghost === 0;
      mechanism.reactions.group.visible = this.options.reactions && mechanism.ghost === 0;
      mechanism.forces.group.visible = this.options.forces && mechanism.ghost === 0;
      mechanism.traces.group.visible = this.options.traces;
      if (this.options.traces && mechanism.traces.count === 0) this.trace_some(mechanism);
    }
    this.grid.mesh.visible = this.options.grid;
    this.paint();
    this.set_time(this.time);
  }

  /** Without a choice of one's own: the mass centres of a handful of bodies. */
  private trace_some(mechanism: Mechanism): void {
    const { bodies } = mechanism.scene;
    const step = Math.max(1, Math.ceil(bodies.length / 12));
    for (let i = bodies.length - 1; i >= 0; i -= step) mechanism.traces.add(mechanism.traced_point(i));
  }

  paint(): void {
    const { palette } = this.theme;
    this.scene.background = new THREE.Color(palette.background);
    this.grid.paint(palette);
    for (const mechanism of this.mechanisms) mechanism.paint(palette, this.selected);
    this.draw_soon();
  }

  select(body: number): void {
    this.selected = body;
    this.paint();
  }
  follow(body: number): void {
    this.followed = body;
    this.camera.follow(undefined);
    this.set_time(this.time);
  }

  set_time(t: number): void {
    this.time = t;
    for (const mechanism of this.mechanisms) mechanism.set_time(t);
    if (this.followed >= 0 && this.main) {
      this.camera.follow(this.body_center(this.followed));
    }
    this.draw_soon();
  }

  body_center(body: number): THREE.Vector3 {
    return new THREE.Vector3().fromArray(this.main.poses.positions, 3 * body);
  }

  look(view?: ViewName): void {
    if (view && !this.views.includes(view)) return;
    this.camera.look(view);
    this.draw_soon();
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (!width || !height) return;
    this.renderer.setSize(width, height, false);
    this.camera.set_size(width, height);
    const ratio = this.renderer.getPixelRatio();
    for (const mechanism of this.mechanisms) mechanism.set_resolution(width * ratio, height * ratio, ratio);
    this.draw_soon();
  }

  draw_soon(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }
  draw(): void {
    this.renderer.render(this.scene, this.camera.active);
    for (const listener of this.on_draw) listener();
  }

  /** The picture as it is now, at once: for paper, which does not wait. */
  picture(): string {
    this.draw();
    return this.canvas.toDataURL("image/png");
  }
  /** The picture as it is now. */
  snapshot(): Promise<Blob | null> {
    this.draw();
    return new Promise((resolve) => this.canvas.toBlob(resolve, "image/png"));
  }

  private ray_through(event: PointerEvent): THREE.Raycaster {
    const box = this.canvas.getBoundingClientRect();
    const at = new THREE.Vector2((2 * (event.clientX - box.left)) / box.width - 1, 1 - (2 * (event.clientY - box.top)) / box.height);
    const ray = new THREE.Raycaster();
    ray.setFromCamera(at, this.camera.active);
    return ray;
  }

  /** Takes hold of the body under the pointer: its name, and the point in its own frame. */
  take_hold(event: PointerEvent): { body: string; point: [number, number, number] } | undefined {
    const { body, point } = this.main.solids.hit(this.ray_through(event));
    if (body < 0) return undefined;
    const at = this.planar ? point.clone().setZ(0) : point.clone();
    const normal = this.planar ? new THREE.Vector3(0, 0, 1) : this.camera.active.getWorldDirection(new THREE.Vector3());
    this.drag_plane.setFromNormalAndCoplanarPoint(normal, this.planar ? at : point);
    const turn = new THREE.Quaternion().fromArray(this.main.poses.rotations, 4 * body);
    const own = at.sub(this.body_center(body)).applyQuaternion(turn.invert());
    return { body: this.main.scene.bodies[body].name, point: [own.x, own.y, this.planar ? 0 : own.z] };
  }
  /** Where the pointer is, at the depth of what was taken hold of. */
  drag_target(event: PointerEvent): [number, number, number] | undefined {
    const target = this.ray_through(event).ray.intersectPlane(this.drag_plane, new THREE.Vector3());
    return target ? [target.x, target.y, target.z] : undefined;
  }

  private watch_pointer(): void {
    let down = { x: 0, y: 0 };
    this.canvas.addEventListener("pointerdown", (event) => (down = { x: event.clientX, y: event.clientY }));
    this.canvas.addEventListener("pointerup", (event) => {
      if (Math.hypot(event.clientX - down.x, event.clientY - down.y) > 4 || event.button !== 0) return;
      if (this.main) this.on_pick?.(this.main.solids.pick(this.ray_through(event)));
    });
  }
}
