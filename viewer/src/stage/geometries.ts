// Unit geometries that instances stretch to size. Axes as in trammel::report::Part.
import * as THREE from "three";
import { toCreasedNormals } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { decode } from "../data/base64";
import type { Mesh } from "../data/format";

export type GeometryKey = "box" | "cylinder" | "sphere" | "cone" | "wedge" | "spiral" | "mark" | `tube:${string}` | `mesh:${number}`;

/** Round enough for the eye: fewer facets when there are thousands. */
function facets(count: number): number {
  return count > 4000 ? 10 : count > 800 ? 20 : 48;
}

/** Edges sharper than this are drawn as edges. */
const crease = 0.6; // rad

function tube(ratio: number, segments: number): THREE.BufferGeometry {
  const profile = [
    [ratio, -0.5],
    [1, -0.5],
    [1, 0.5],
    [ratio, 0.5],
    [ratio, -0.5],
  ].map(([x, y]) => new THREE.Vector2(x, y));
  return toCreasedNormals(new THREE.LatheGeometry(profile, segments).rotateX(Math.PI / 2), crease);
}

/** The symbol of a support: its tip in the origin, its base at y = -1. */
function wedge(): THREE.BufferGeometry {
  const shape = new THREE.Shape([
    new THREE.Vector2(0.24, 0.12),
    new THREE.Vector2(-0.24, 0.12),
    new THREE.Vector2(-0.7, -1),
    new THREE.Vector2(0.7, -1),
  ]);
  return new THREE.ExtrudeGeometry(shape, { depth: 1, bevelEnabled: false }).translate(0, 0, -0.5);
}

class FlatSpiral extends THREE.Curve<THREE.Vector3> {
  constructor() {
    super();
  }
  override getPoint(s: number, target = new THREE.Vector3()): THREE.Vector3 {
    const angle = 2 * Math.PI * 2.75 * s;
    const radius = 0.3 + 0.7 * s;
    return target.set(radius * Math.cos(angle), radius * Math.sin(angle), 0);
  }
}

/** A surface from a file, smooth where it is round; coordinates as they are. */
function surface(mesh: Mesh): THREE.BufferGeometry {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(decode(mesh.points)), 3));
  geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(decode(mesh.triangles)), 1));
  return toCreasedNormals(geometry, crease);
}

/** `meshes` are those of the scene. */
export function make_geometry(key: GeometryKey, count: number, meshes: Mesh[] = []): THREE.BufferGeometry {
  const segments = facets(count);
  if (key.startsWith("mesh:")) return surface(meshes[Number(key.slice(5))]);
  switch (key) {
    case "box":
    case "mark":
      return new THREE.BoxGeometry(1, 1, 1);
    case "cylinder":
      return new THREE.CylinderGeometry(1, 1, 1, segments).rotateX(Math.PI / 2);
    case "sphere":
      return new THREE.SphereGeometry(1, segments, Math.max(8, segments / 2));
    case "cone":
      return new THREE.ConeGeometry(1, 1, segments).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    case "wedge":
      return wedge();
    case "spiral":
      return new THREE.TubeGeometry(new FlatSpiral(), 120, 0.045, 6);
    default:
      return tube(Number(key.slice(5)), segments);
  }
}

/** Normals that agree where facets meet: outlines without gaps at sharp edges. */
export function smooth_normals(geometry: THREE.BufferGeometry): THREE.BufferAttribute {
  const position = geometry.getAttribute("position");
  const normal = geometry.getAttribute("normal");
  geometry.computeBoundingSphere();
  const fine = 1e4 / (geometry.boundingSphere!.radius || 1);
  const key = (i: number): string =>
    [position.getX(i), position.getY(i), position.getZ(i)].map((x) => Math.round(x * fine)).join();
  const sums = new Map<string, THREE.Vector3>();
  const n = new THREE.Vector3();
  for (let i = 0; i < position.count; ++i) {
    n.fromBufferAttribute(normal, i);
    const sum = sums.get(key(i));
    if (sum) sum.add(n);
    else sums.set(key(i), n.clone());
  }
  const smooth = new Float32Array(3 * position.count);
  for (let i = 0; i < position.count; ++i) sums.get(key(i))!.clone().normalize().toArray(smooth, 3 * i);
  return new THREE.BufferAttribute(smooth, 3);
}
