// Springs: wire of constant thickness wound between two points, however far apart they are.
import * as THREE from "three";
import type { Item } from "../data/format";
import { outline_material } from "./outline";
import type { WorldPoint } from "./links";

const around = 8; // facets of the wire
const straight = 0.09; // share of each end that is not wound

export class Coils {
  readonly group = new THREE.Group();
  readonly outline = outline_material();
  private readonly geometry = new THREE.BufferGeometry();
  private readonly positions: Float32Array;
  private readonly normals: Float32Array;
  private readonly steps: number;
  private readonly turns = 9;

  constructor(
    private readonly springs: Item[],
    private readonly radius: number,
    private readonly wire: number,
    private readonly lift: number,
    material: THREE.Material,
  ) {
    this.steps = springs.length > 60 ? 60 : 220;
    const per_spring = (this.steps + 1) * around;
    this.positions = new Float32Array(3 * per_spring * springs.length);
    this.normals = new Float32Array(this.positions.length);
    this.geometry.setAttribute("position", new THREE.BufferAttribute(this.positions, 3));
    const normals = new THREE.BufferAttribute(this.normals, 3);
    this.geometry.setAttribute("normal", normals);
    this.geometry.setAttribute("smooth_normal", normals);
    this.geometry.setIndex(this.facets(per_spring));
    for (const mesh of [new THREE.Mesh(this.geometry, material), new THREE.Mesh(this.geometry, this.outline)]) {
      mesh.frustumCulled = false;
      this.group.add(mesh);
    }
  }

  private facets(per_spring: number): number[] {
    const index: number[] = [];
    for (let spring = 0; spring < this.springs.length; ++spring) {
      for (let i = 0; i < this.steps; ++i) {
        for (let k = 0; k < around; ++k) {
          const a = spring * per_spring + i * around + k;
          const b = spring * per_spring + i * around + ((k + 1) % around);
          index.push(a, b, a + around, b, b + around, a + around);
        }
      }
    }
    return index;
  }

  place(world: WorldPoint): void {
    const from = new THREE.Vector3();
    const axis = new THREE.Vector3();
    const u = new THREE.Vector3();
    const v = new THREE.Vector3();
    this.springs.forEach((spring, number) => {
      world(spring.ends[0], from).z += this.lift;
      world(spring.ends[1], axis).z += this.lift;
      axis.sub(from);
      const length = axis.length();
      if (length > 0) axis.divideScalar(length);
      else axis.set(1, 0, 0);
      u.set(0, 0, 1);
      if (Math.abs(axis.z) > 0.9) u.set(1, 0, 0);
      v.crossVectors(axis, u).normalize();
      u.crossVectors(v, axis);
      this.wind(number, from, axis, u, v, length);
    });
    this.geometry.getAttribute("position").needsUpdate = true;
    this.geometry.getAttribute("normal").needsUpdate = true;
  }

  private wind(number: number, from: THREE.Vector3, axis: THREE.Vector3, u: THREE.Vector3, v: THREE.Vector3, length: number): void {
    const center = new THREE.Vector3();
    const outward = new THREE.Vector3();
    const tangent = new THREE.Vector3();
    const side = new THREE.Vector3();
    const normal = new THREE.Vector3();
    const rate = (2 * Math.PI * this.turns) / (1 - 2 * straight);
    let at = 3 * number * (this.steps + 1) * around;
    for (let i = 0; i <= this.steps; ++i) {
      const s = i / this.steps;
      const wound = Math.min(1, Math.max(0, (s - straight) / (1 - 2 * straight)));
      const r = this.radius * Math.min(1, 14 * Math.min(wound, 1 - wound));
      const angle = 2 * Math.PI * this.turns * wound;
      outward.copy(u).multiplyScalar(Math.cos(angle)).addScaledVector(v, Math.sin(angle));
      center.copy(from).addScaledVector(axis, s * length).addScaledVector(outward, r);
      tangent.copy(v).multiplyScalar(Math.cos(angle)).addScaledVector(u, -Math.sin(angle));
      tangent.multiplyScalar(r * rate).addScaledVector(axis, length).normalize();
      side.crossVectors(tangent, outward).normalize();
      for (let k = 0; k < around; ++k, at += 3) {
        const phi = (2 * Math.PI * k) / around;
        normal.copy(outward).multiplyScalar(Math.cos(phi)).addScaledVector(side, Math.sin(phi));
        normal.toArray(this.normals, at);
        normal.multiplyScalar(this.wire).add(center).toArray(this.positions, at);
      }
    }
  }
}
