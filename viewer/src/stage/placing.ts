// From the scene's numbers to matrices.
import * as THREE from "three";
import type { Item, Part, Place, Vector } from "../data/format";
import type { Solid } from "./solids";
import type { GeometryKey } from "./geometries";

export function vector(v: Vector | undefined): THREE.Vector3 {
  return v ? new THREE.Vector3(...v) : new THREE.Vector3();
}

export function rotation(place: Place): THREE.Quaternion {
  const [w, x, y, z] = place.rotation ?? [1, 0, 0, 0];
  return new THREE.Quaternion(x, y, z, w);
}

export function matrix_of(place: Place): THREE.Matrix4 {
  return new THREE.Matrix4().compose(vector(place.position), rotation(place), new THREE.Vector3(1, 1, 1));
}

/** A unit geometry along z, put along a direction. */
export function along(
  axis: THREE.Vector3,
  position: THREE.Vector3,
  scale: THREE.Vector3 | [number, number, number],
): THREE.Matrix4 {
  const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), axis.clone().normalize());
  const size = Array.isArray(scale) ? new THREE.Vector3(...scale) : scale;
  return new THREE.Matrix4().compose(position, turn, size);
}

function scaled(frame: THREE.Matrix4, at: [number, number, number], scale: [number, number, number]): THREE.Matrix4 {
  const place = new THREE.Matrix4().makeTranslation(...at);
  return frame.clone().multiply(place).multiply(new THREE.Matrix4().makeScale(...scale));
}

function bar(part: Part, solid: MakeSolid, coarse: boolean): Solid[] {
  const frame = matrix_of(part);
  const [length, width, thickness] = part.size;
  if (coarse) return [solid("box", scaled(frame, [0, 0, 0], [length, width, thickness || width]))];
  const r = width / 2;
  const half = length / 2;
  if (thickness > 0) {
    return [
      solid("box", scaled(frame, [0, 0, 0], [length, width, thickness])),
      solid("cylinder", scaled(frame, [-half, 0, 0], [r, r, thickness])),
      solid("cylinder", scaled(frame, [half, 0, 0], [r, r, thickness])),
    ];
  }
  const turned = frame.clone().multiply(new THREE.Matrix4().makeRotationY(Math.PI / 2));
  return [
    solid("cylinder", scaled(turned, [0, 0, 0], [r, r, length])),
    solid("sphere", scaled(frame, [-half, 0, 0], [r, r, r])),
    solid("sphere", scaled(frame, [half, 0, 0], [r, r, r])),
  ];
}

type MakeSolid = (key: GeometryKey, local: THREE.Matrix4) => Solid;

/** A line from hole to rim on both faces of a disc: without it nobody sees the disc turn. */
function spoke(frame: THREE.Matrix4, radius: number, length: number, hole: number, solid: MakeSolid): Solid {
  const inner = Math.max(hole, 0.3 * radius) + 0.06 * (radius - hole);
  const outer = radius - 0.06 * (radius - hole);
  const size: [number, number, number] = [outer - inner, 0.11 * radius, length + 0.03 * radius];
  return { ...solid("mark", scaled(frame, [0.5 * (inner + outer), 0, 0], size)), tint: "mark" };
}

/** A belt round a ball, for the same reason. */
function belt(frame: THREE.Matrix4, radius: number, solid: MakeSolid): Solid {
  return { ...solid("cylinder", scaled(frame, [0, 0, 0], [1.006 * radius, 1.006 * radius, 0.09 * radius])), tint: "mark" };
}

/** `coarse` leaves away what cannot be seen among thousands of bodies. `point`: it cannot turn. */
export function part_solids(part: Part, body: number, coarse: boolean, point = false): Solid[] {
  const solid = (key: GeometryKey, local: THREE.Matrix4): Solid => ({ key, body, local, tint: "body", color: part.color });
  const frame = matrix_of(part);
  const [a, b, c] = part.size;
  switch (part.kind) {
    case "box": {
      const matrix = scaled(frame, [0, 0, 0], [a, b, c]);
      return [part.mark ? { ...solid("mark", matrix), tint: "mark" } : solid("box", matrix)];
    }
    case "cylinder": {
      const key: GeometryKey = c > 0 ? `tube:${(c / a).toFixed(3)}` : "cylinder";
      const body_of = solid(key, scaled(frame, [0, 0, 0], [a, a, b]));
      return coarse || b > 1.5 * a ? [body_of] : [body_of, spoke(frame, a, b, c, solid)];
    }
    case "sphere":
      return coarse || point ? [solid("sphere", scaled(frame, [0, 0, 0], [a, a, a]))] : [solid("sphere", scaled(frame, [0, 0, 0], [a, a, a])), belt(frame, a, solid)];
    case "mesh":
      return [solid(`mesh:${part.mesh ?? 0}`, frame)];
    case "cone":
      return [solid("cone", scaled(frame, [0, 0, 0], [a, a, b]))];
    default:
      return bar(part, solid, coarse);
  }
}

/** A value of a joint or force that is a direction or another vector. */
export function vector_value(item: Item, name: string): THREE.Vector3 | undefined {
  const found = item.values?.find(([key]) => key === name)?.[1];
  if (!Array.isArray(found) || found.length !== 3) return undefined;
  const [x, y, z] = found.map(Number);
  return new THREE.Vector3(x, y, z);
}
