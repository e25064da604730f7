// All solid things of one run: instances of unit geometries that ride on bodies.
import * as THREE from "three";
import type { Mesh } from "../data/format";
import type { Palette } from "../theme";
import { make_geometry, smooth_normals, type GeometryKey } from "./geometries";
import { outline_material } from "./outline";

/** More lines than these would only blacken the picture. */
const most_outlined = 5000; // solids
const most_outlined_bodies = 400;

/** Marks that show how round things turn are this much darker. */
const mark_shade = 0.5;

export type Tint = "body" | "mark" | "pin" | "ground" | "spring" | "axis";

export interface Solid {
  key: GeometryKey;
  /** index of the body it rides on; -1 is the ground */
  body: number;
  /** from the unit geometry to the body frame */
  local: THREE.Matrix4;
  tint: Tint;
  /** of its own, "#rrggbb" */
  color?: string;
}

/** Solids with the same geometry, drawn at once. */
class Batch {
  readonly mesh: THREE.InstancedMesh;
  private readonly outline: THREE.InstancedMesh;

  constructor(
    readonly solids: Solid[],
    key: GeometryKey,
    material: THREE.Material,
    outline: THREE.Material,
    shade: THREE.Material,
    group: THREE.Group,
    shadows: THREE.Group,
    meshes: Mesh[],
    outlined: boolean,
  ) {
    const geometry = make_geometry(key, solids.length, meshes);
    geometry.setAttribute("smooth_normal", smooth_normals(geometry));
    this.mesh = new THREE.InstancedMesh(geometry, material, solids.length);
    this.mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    this.mesh.setColorAt(0, new THREE.Color());
    this.outline = new THREE.InstancedMesh(geometry, outline, solids.length);
    this.outline.instanceMatrix = this.mesh.instanceMatrix;
    const shadow = new THREE.InstancedMesh(geometry, shade, solids.length);
    shadow.instanceMatrix = this.mesh.instanceMatrix;
    shadow.renderOrder = -2;
    for (const mesh of [this.mesh, this.outline, shadow]) mesh.frustumCulled = false;
    group.add(this.mesh);
    if (outlined && solids.length <= most_outlined) group.add(this.outline);
    shadows.add(shadow);
  }

  place(bodies: THREE.Matrix4[], ground: THREE.Matrix4): void {
    const matrix = new THREE.Matrix4();
    const out = this.mesh.instanceMatrix.array as Float32Array;
    this.solids.forEach((solid, i) => {
      matrix.multiplyMatrices(solid.body < 0 ? ground : bodies[solid.body], solid.local).toArray(out, 16 * i);
    });
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.boundingSphere = null;
  }

  paint(color_of: (solid: Solid) => THREE.Color): void {
    this.solids.forEach((solid, i) => this.mesh.setColorAt(i, color_of(solid)));
    this.mesh.instanceColor!.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.dispose();
  }
}

export class Solids {
  readonly group = new THREE.Group();
  /** everything once more, pressed flat onto the floor */
  readonly shadows = new THREE.Group();
  private readonly shade = new THREE.MeshBasicMaterial({ depthWrite: false });
  private readonly batches: Batch[] = [];
  private readonly material: THREE.MeshLambertMaterial;
  private readonly outline = outline_material();

  constructor(
    solids: Solid[],
    private readonly body_count: number,
    /** number of an overlaid run: drawn in one colour, transparent */
    private readonly ghost: number,
    /** surfaces that solids may name */
    meshes: Mesh[] = [],
  ) {
    this.material = new THREE.MeshLambertMaterial();
    if (ghost > 0) {
      for (const material of [this.material, this.outline]) {
        material.transparent = true;
        material.depthWrite = false;
      }
      this.material.opacity = 0.38;
      this.outline.uniforms.opacity.value = 0.35;
    }
    const by_key = new Map<GeometryKey, Solid[]>();
    for (const solid of solids) {
      const list = by_key.get(solid.key);
      if (list) list.push(solid);
      else by_key.set(solid.key, [solid]);
    }
    for (const [key, list] of by_key) {
      this.batches.push(new Batch(list, key, this.material, this.outline, this.shade, this.group, this.shadows, meshes, key !== "mark" && body_count <= most_outlined_bodies));
    }
  }

  place(bodies: THREE.Matrix4[], ground: THREE.Matrix4): void {
    for (const batch of this.batches) batch.place(bodies, ground);
  }

  paint(palette: Palette, selected: number): void {
    this.outline.uniforms.color.value.setHex(palette.outline);
    this.shade.color.setHex(palette.shadow);
    const colors = {
      pin: new THREE.Color(palette.pin),
      ground: new THREE.Color(palette.ground),
      spring: new THREE.Color(palette.spring),
      axis: new THREE.Color(palette.axis),
    };
    const highlight = new THREE.Color(palette.selected);
    const ghost = ghost_color(palette, this.ghost);
    for (const batch of this.batches) {
      batch.paint((solid) => {
        if (this.ghost > 0) return ghost;
        if (solid.tint !== "body" && solid.tint !== "mark") return colors[solid.tint];
        const own = solid.color ? new THREE.Color(solid.color) : body_color(palette, solid.body, this.body_count);
        const color = solid.body === selected ? highlight.clone() : own;
        return solid.tint === "mark" ? color.multiplyScalar(mark_shade) : color;
      });
    }
  }

  /** Shadows fall straight down, against `up`, onto a floor at this height. */
  set_floor(up: THREE.Vector3, height: number): void {
    const { x, y, z } = up;
    this.shadows.matrixAutoUpdate = false;
    this.shadows.matrix.set(
      1 - x * x, -x * y, -x * z, height * x,
      -y * x, 1 - y * y, -y * z, height * y,
      -z * x, -z * y, 1 - z * z, height * z,
      0, 0, 0, 1,
    );
  }

  set_resolution(width: number, height: number, ratio: number): void {
    this.outline.uniforms.resolution.value.set(width, height);
    this.outline.uniforms.width.value = 1.5 * ratio;
  }

  /** The body under the pointer; -1 when there is none. */
  pick(ray: THREE.Raycaster): number {
    return this.hit(ray).body;
  }
  /** The same with the place on its surface. */
  hit(ray: THREE.Raycaster): { distance: number; body: number; point: THREE.Vector3 } {
    let nearest = { distance: Infinity, body: -1, point: new THREE.Vector3() };
    for (const batch of this.batches) {
      for (const { instanceId, distance, point } of ray.intersectObject(batch.mesh)) {
        const { body } = batch.solids[instanceId ?? 0];
        if (distance < nearest.distance && body >= 0) nearest = { distance, body, point };
      }
    }
    return nearest;
  }

  dispose(): void {
    for (const batch of this.batches) batch.dispose();
    this.material.dispose();
    this.outline.dispose();
  }
}

/** Of the overlaid runs, counted from 1. */
export function ghost_color(palette: Palette, ghost: number): THREE.Color {
  return new THREE.Color(palette.ghosts[(ghost - 1) % palette.ghosts.length] ?? 0);
}

/** Few bodies have colours of their own; many go along a ramp. */
export function body_color(palette: Palette, body: number, count: number): THREE.Color {
  if (count <= palette.bodies.length) return new THREE.Color(palette.bodies[body % palette.bodies.length]);
  const s = count > 1 ? body / (count - 1) : 0;
  const [from, over, to] = palette.ramp.map((hex) => new THREE.Color(hex));
  return s < 0.5 ? from.lerp(over, 2 * s) : over.lerp(to, 2 * s - 1);
}
