// Things stretched between two points: springs, massless rods. And torsion springs, which sit in one.
import * as THREE from "three";
import type { End, Item, Scene } from "../data/format";
import type { Palette } from "../theme";
import { Coils } from "./coils";
import { make_geometry, smooth_normals, type GeometryKey } from "./geometries";
import { planar_kinds, spatial_kinds } from "./joint_kinds";
import { outline_material } from "./outline";
import { vector } from "./placing";

export type WorldPoint = (end: End, target: THREE.Vector3) => THREE.Vector3;

/** Distances that are driven, or along which a force acts (a hydraulic cylinder): legs without mass, drawn as rods that come out of cylinders. */
export function jacks(scene: Scene): Item[] {
  const moved = [...(scene.drives ?? []), ...scene.forces];
  const driven = new Set(moved.flatMap(({ values }) => values?.filter(([key]) => key === "coordinate").map(([, value]) => value) ?? []));
  return (scene.sensors ?? []).filter((item) => item.type === "distance" && item.ends.length === 2 && driven.has(item.name));
}

class LinkBatch {
  readonly mesh: THREE.InstancedMesh;
  private readonly from = new THREE.Vector3();
  private readonly to = new THREE.Vector3();

  constructor(
    private readonly items: Item[],
    key: GeometryKey,
    private readonly radius: number,
    private readonly lift: number,
    /** of the way from the first end to the second */
    private readonly share: number,
    material: THREE.Material,
    outline: THREE.Material,
    group: THREE.Group,
  ) {
    const geometry = make_geometry(key, items.length);
    geometry.setAttribute("smooth_normal", smooth_normals(geometry));
    this.mesh = new THREE.InstancedMesh(geometry, material, items.length);
    const shadow = new THREE.InstancedMesh(geometry, outline, items.length);
    shadow.instanceMatrix = this.mesh.instanceMatrix;
    this.mesh.frustumCulled = shadow.frustumCulled = false;
    group.add(this.mesh, shadow);
  }

  place(world: WorldPoint): void {
    const matrix = new THREE.Matrix4();
    const turn = new THREE.Quaternion();
    const z = new THREE.Vector3(0, 0, 1);
    this.items.forEach((item, i) => {
      world(item.ends[0], this.from);
      world(item.ends[1], this.to);
      this.from.z += this.lift;
      this.to.z += this.lift;
      this.to.lerpVectors(this.from, this.to, this.share);
      const middle = this.from.clone().add(this.to).multiplyScalar(0.5);
      const direction = this.to.sub(this.from);
      const length = direction.length();
      turn.setFromUnitVectors(z, length > 0 ? direction.divideScalar(length) : z);
      matrix.compose(middle, turn, new THREE.Vector3(this.radius, this.radius, length));
      this.mesh.setMatrixAt(i, matrix);
    });
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

export class Links {
  /** rods that come out of cylinders */
  readonly legs: number = 0;
  readonly group = new THREE.Group();
  private readonly batches: LinkBatch[] = [];
  private readonly spring_material = new THREE.MeshLambertMaterial();
  private readonly rod_material = new THREE.MeshLambertMaterial();
  private readonly outline = outline_material();
  private readonly coils: Coils | undefined;
  private readonly spirals: { mesh: THREE.Mesh; end: End }[] = [];

  constructor(scene: Scene, layer_height: number) {
    const w = scene.bar_width;
    const planar = scene.space === "planar";
    const springs = scene.forces.filter((item) => item.ends.length === 2 && /spring|damper/.test(item.type) && !/rotational/.test(item.type));
    const symbols: Record<string, string> = planar ? planar_kinds : spatial_kinds;
    const rods = scene.joints.filter((item) => item.ends.length === 2 && symbols[item.type] === "rod");
    if (springs.length) {
      this.coils = new Coils(springs, 0.75 * w, 0.11 * w, planar ? layer_height : 0, this.spring_material);
      this.group.add(this.coils.group);
    }
    const legs = jacks(scene);
    this.legs = legs.length;
    const lift = planar ? 0.5 * layer_height : 0;
    if (rods.length) this.add(rods, 0.16 * w, lift, 1);
    if (legs.length) {
      this.add(legs, 0.2 * w, lift, 1);
      this.add(legs, 0.36 * w, lift, 0.55);
    }
    for (const item of scene.forces) {
      if (/rotational/.test(item.type) && item.ends.length === 2) this.add_spiral(item.ends[1], w, planar ? 1.2 * layer_height : 0);
    }
  }

  private get outlines(): THREE.ShaderMaterial[] {
    return this.coils ? [this.outline, this.coils.outline] : [this.outline];
  }

  private add(items: Item[], radius: number, lift: number, share: number): void {
    this.batches.push(new LinkBatch(items, "cylinder", radius, lift, share, this.rod_material, this.outline, this.group));
  }

  private add_spiral(end: End, width: number, lift: number): void {
    const mesh = new THREE.Mesh(make_geometry("spiral", 1), this.spring_material);
    mesh.scale.setScalar(1.5 * width);
    mesh.userData.lift = lift;
    this.spirals.push({ mesh, end });
    this.group.add(mesh);
  }

  place(world: WorldPoint, rotations: Float64Array): void {
    for (const batch of this.batches) batch.place(world);
    this.coils?.place(world);
    for (const { mesh, end } of this.spirals) {
      world(end, mesh.position);
      mesh.position.z += mesh.userData.lift as number;
      if (end.body >= 0) mesh.quaternion.fromArray(rotations, 4 * end.body);
    }
  }

  paint(palette: Palette): void {
    this.spring_material.color.setHex(palette.spring);
    this.rod_material.color.setHex(palette.ground);
    for (const outline of this.outlines) outline.uniforms.color.value.setHex(palette.outline);
  }

  set_resolution(width: number, height: number, ratio: number): void {
    for (const outline of this.outlines) {
      outline.uniforms.resolution.value.set(width, height);
      outline.uniforms.width.value = ratio;
    }
  }
}

/** World point of an end in the present pose. */
export function world_point(positions: Float64Array, rotations: Float64Array): WorldPoint {
  const turn = new THREE.Quaternion();
  return (end, target) => {
    target.copy(vector(end.position));
    if (end.body < 0) return target;
    target.applyQuaternion(turn.fromArray(rotations, 4 * end.body));
    target.x += positions[3 * end.body];
    target.y += positions[3 * end.body + 1];
    target.z += positions[3 * end.body + 2];
    return target;
  };
}
