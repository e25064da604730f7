// Where one looks from: orthographic and head-on for planar models, in perspective for spatial ones.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

/** The buttons above the drawing, px. */
const covered_height = 56;

export type ViewName = "front" | "top" | "side" | "oblique";

export class ViewCamera {
  readonly orthographic = new THREE.OrthographicCamera();
  readonly perspective = new THREE.PerspectiveCamera(32, 1, 0.001, 1000);
  readonly controls: OrbitControls;
  /** what should be seen */
  readonly bounds = new THREE.Box3();
  /** points that span it more closely than a box does */
  points: THREE.Vector3[] = [];
  private aspect = 1;
  /** share of the height that the buttons cover */
  private covered = 0;
  private readonly followed = new THREE.Vector3();
  private following = false;

  constructor(
    element: HTMLElement,
    private readonly planar: boolean,
    readonly up: THREE.Vector3,
    changed: () => void,
  ) {
    for (const camera of [this.orthographic, this.perspective]) camera.up.copy(up);
    this.controls = new OrbitControls(this.active, element);
    this.controls.enableDamping = false;
    this.controls.screenSpacePanning = true;
    this.controls.zoomToCursor = true;
    if (planar) {
      this.controls.mouseButtons = {
        LEFT: THREE.MOUSE.PAN,
        MIDDLE: THREE.MOUSE.DOLLY,
        RIGHT: THREE.MOUSE.ROTATE,
      };
      this.controls.touches = { ONE: THREE.TOUCH.PAN, TWO: THREE.TOUCH.DOLLY_ROTATE };
    }
    this.controls.addEventListener("change", changed);
  }

  get active(): THREE.OrthographicCamera | THREE.PerspectiveCamera {
    return this.planar ? this.orthographic : this.perspective;
  }

  set_size(width: number, height: number): void {
    this.aspect = width / Math.max(1, height);
    this.covered = Math.min(0.25, covered_height / Math.max(1, height));
    this.perspective.aspect = this.aspect;
    this.perspective.updateProjectionMatrix();
    this.set_frustum();
  }

  private frustum_height = 1;
  private set_frustum(): void {
    const h = this.frustum_height / 2;
    this.orthographic.left = -h * this.aspect;
    this.orthographic.right = h * this.aspect;
    this.orthographic.top = h;
    this.orthographic.bottom = -h;
    this.orthographic.updateProjectionMatrix();
  }

  private direction(view: ViewName): THREE.Vector3 {
    const up = this.up;
    const right = Math.abs(up.x) > 0.9 ? new THREE.Vector3(0, 1, 0) : new THREE.Vector3(1, 0, 0);
    const toward = new THREE.Vector3().crossVectors(right, up);
    switch (view) {
      case "front":
        return toward;
      case "side":
        return right;
      case "top":
        return up.clone().addScaledVector(toward, 1e-3);
      default:
        return toward.multiplyScalar(1).addScaledVector(right, 0.62).addScaledVector(up, 0.52);
    }
  }

  look(view: ViewName = this.planar ? "front" : "oblique"): void {
    const direction = this.direction(view).normalize();
    const { center, top, width, height, distance: fitted } = this.fit(direction);
    const margin = 1.16;
    this.frustum_height = Math.max(height / (1 - this.covered), width / this.aspect) * margin;
    this.orthographic.zoom = 1;
    this.set_frustum();
    const distance = this.planar ? 10 * Math.max(width, height) : fitted;
    const seen = this.planar ? this.frustum_height : 2 * distance * Math.tan(THREE.MathUtils.degToRad(this.perspective.fov / 2));
    // Down by as much as the buttons would cover.
    center.addScaledVector(top, Math.max(0, (this.covered + 0.05) * seen - 0.5 * (seen - height)));
    this.perspective.near = distance / 500;
    this.perspective.far = distance * 50;
    this.orthographic.near = -distance * 10;
    this.orthographic.far = distance * 20;
    for (const camera of [this.orthographic, this.perspective]) {
      camera.position.copy(center).addScaledVector(direction, distance);
      camera.updateProjectionMatrix();
    }
    this.controls.target.copy(center);
    this.controls.update();
  }

  /** The middle of what is seen from a direction, its width and height, and how far away everything is in view. */
  private fit(direction: THREE.Vector3): { center: THREE.Vector3; top: THREE.Vector3; width: number; height: number; distance: number } {
    const right = new THREE.Vector3().crossVectors(this.up, direction);
    if (right.length() < 1e-6) right.set(1, 0, 0);
    right.normalize();
    const top = new THREE.Vector3().crossVectors(direction, right);
    const axes = [right, top, direction];
    const points = this.points.length ? this.points : [this.bounds.min, this.bounds.max];
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (const point of points) {
      axes.forEach((axis, k) => {
        const x = point.dot(axis);
        low[k] = Math.min(low[k], x);
        high[k] = Math.max(high[k], x);
      });
    }
    const middle = low.map((x, k) => 0.5 * (x + high[k]));
    const center = new THREE.Vector3();
    axes.forEach((axis, k) => center.addScaledVector(axis, middle[k]));
    // In perspective, what is near needs more room than what is far.
    const slope = Math.tan(THREE.MathUtils.degToRad(this.perspective.fov / 2)) / 1.3;
    let distance = 1e-6;
    for (const point of points) {
      const [x, y, z] = axes.map((axis, k) => point.dot(axis) - middle[k]);
      distance = Math.max(distance, z + Math.max(Math.abs(y), Math.abs(x) / this.aspect) / slope);
    }
    const least = 1e-3 * this.bounds.getSize(new THREE.Vector3()).length();
    return { center, top, width: Math.max(least, high[0] - low[0]), height: Math.max(least, high[1] - low[1]), distance };
  }

  /** Keeps a moving point where it is on the screen. */
  follow(point: THREE.Vector3 | undefined): void {
    if (!point) {
      this.following = false;
      return;
    }
    if (this.following) {
      const shift = point.clone().sub(this.followed);
      this.controls.target.add(shift);
      for (const camera of [this.orthographic, this.perspective]) camera.position.add(shift);
      this.controls.update();
    }
    this.following = true;
    this.followed.copy(point);
  }
}
