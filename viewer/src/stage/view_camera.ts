// Where one looks from: orthographic and head-on for planar models, in perspective for spatial ones.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

export type ViewName = "front" | "top" | "side" | "oblique";

export class ViewCamera {
  readonly orthographic = new THREE.OrthographicCamera();
  readonly perspective = new THREE.PerspectiveCamera(32, 1, 0.001, 1000);
  readonly controls: OrbitControls;
  /** what should be seen */
  readonly bounds = new THREE.Box3();
  private aspect = 1;
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
    const center = this.bounds.getCenter(new THREE.Vector3());
    const [width, height, depth] = this.extents(direction, center);
    const margin = 1.16;
    this.frustum_height = Math.max(height, width / this.aspect) * margin;
    this.orthographic.zoom = 1;
    this.set_frustum();
    const half = Math.tan(THREE.MathUtils.degToRad(this.perspective.fov / 2));
    const fitted = (Math.max(height, width / this.aspect) * margin) / (2 * half) + depth / 2;
    const distance = this.planar ? 10 * Math.max(width, height) : fitted;
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

  /** Width, height and depth of the bounds as seen from a direction. */
  private extents(direction: THREE.Vector3, center: THREE.Vector3): [number, number, number] {
    const right = new THREE.Vector3().crossVectors(this.up, direction);
    if (right.length() < 1e-6) right.set(1, 0, 0);
    right.normalize();
    const top = new THREE.Vector3().crossVectors(direction, right);
    const reach = [0, 0, 0];
    const corner = new THREE.Vector3();
    for (let i = 0; i < 8; ++i) {
      corner.set(
        i & 1 ? this.bounds.max.x : this.bounds.min.x,
        i & 2 ? this.bounds.max.y : this.bounds.min.y,
        i & 4 ? this.bounds.max.z : this.bounds.min.z,
      );
      corner.sub(center);
      [right, top, direction].forEach((axis, k) => (reach[k] = Math.max(reach[k], Math.abs(corner.dot(axis)))));
    }
    return [2 * reach[0], 2 * reach[1], 2 * reach[2]];
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
