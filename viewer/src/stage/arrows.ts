// Arrows of reactions and applied forces, scaled to what is usual in the run.
import * as THREE from "three";
import type { End, Scene } from "../data/format";
import { value_at, type Run } from "../data/run";
import { make_geometry } from "./geometries";
import { vector_value } from "./placing";
import type { WorldPoint } from "./links";

interface Arrow {
  end: End;
  /** force in world axes at a time, N */
  force: (t: number, target: THREE.Vector3) => void;
  /** a size that few moments of the run exceed, N */
  usual: number;
}

const most_arrows = 400;
const most_length = 0.55; // of the model's size

/** The 90th percentile: one spike must not make all other arrows invisible. */
function usual_size(sizes: Float64Array): number {
  const sorted = sizes.slice().sort();
  return sorted[Math.floor(0.9 * (sorted.length - 1))] || sorted[sorted.length - 1] || 0;
}

/** Three (or two) channels as a vector over time. */
function vector_channel(run: Run, name: string, end: End): Arrow | undefined {
  const columns = ["x", "y", "z"].map((axis) => run.si_column(`${name}.${axis}`));
  if (!columns[0]) return undefined;
  const sizes = new Float64Array(run.time.length);
  for (let i = 0; i < sizes.length; ++i) sizes[i] = Math.hypot(...columns.map((column) => column?.[i] ?? 0));
  const force = (t: number, target: THREE.Vector3): void => {
    const [x, y, z] = columns.map((column) => (column ? value_at(run.time, column, t) : 0));
    target.set(x, y, z);
  };
  return { end, force, usual: usual_size(sizes) };
}

function reaction_arrows(run: Run, scene: Scene): Arrow[] {
  const arrows: Arrow[] = [];
  for (const joint of scene.joints) {
    const end = joint.ends[1];
    const arrow = end && vector_channel(run, `${joint.name}.reaction.force`, end);
    if (arrow) arrows.push(arrow);
    if (arrows.length >= most_arrows) break;
  }
  return arrows;
}

/** A recorded force if there is one, else the tension along the line of a spring, else a constant load. */
function force_arrows(run: Run, scene: Scene, world: WorldPoint, rotations: Float64Array): Arrow[] {
  const arrows: Arrow[] = [];
  for (const item of scene.forces) {
    const end = item.ends[item.ends.length - 1];
    if (!end) continue;
    const recorded = vector_channel(run, `${item.name}.force`, end);
    const tension = run.si_column(`${item.name}.tension`);
    const constant = vector_value(item, "force");
    if (recorded) arrows.push(recorded);
    else if (tension && item.ends.length === 2) arrows.push(...tension_arrows(run, tension, item.ends, world));
    else if (constant) {
      const turning = item.values?.some(([name, value]) => name === "axes" && value === "body") ?? false;
      const turn = new THREE.Quaternion();
      const force = (_: number, target: THREE.Vector3): void => {
        target.copy(constant);
        if (turning && end.body >= 0) target.applyQuaternion(turn.fromArray(rotations, 4 * end.body));
      };
      arrows.push({ end, force, usual: constant.length() });
    }
    if (arrows.length >= most_arrows) break;
  }
  return arrows;
}

function tension_arrows(run: Run, tension: Float64Array, ends: End[], world: WorldPoint): Arrow[] {
  const usual = usual_size(tension.map(Math.abs));
  const other = new THREE.Vector3();
  return ends
    .map((end, i) => ({ end, opposite: ends[1 - i] }))
    .filter(({ end }) => end.body >= 0)
    .map(({ end, opposite }) => ({
      end,
      usual,
      force: (t: number, target: THREE.Vector3): void => {
        world(end, target);
        world(opposite, other).sub(target);
        target.copy(other).normalize().multiplyScalar(value_at(run.time, tension, t));
      },
    }));
}

export class Arrows {
  readonly group = new THREE.Group();
  readonly count: number;
  private readonly shafts: THREE.InstancedMesh;
  private readonly heads: THREE.InstancedMesh;
  private readonly material = new THREE.MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.92 });
  private readonly scale: number;

  private constructor(
    private readonly arrows: Arrow[],
    scene: Scene,
    private readonly world: WorldPoint,
    private readonly lift: number,
  ) {
    this.count = arrows.length;
    this.r = 0.13 * scene.bar_width;
    this.shafts = new THREE.InstancedMesh(make_geometry("cylinder", arrows.length), this.material, arrows.length);
    this.heads = new THREE.InstancedMesh(make_geometry("cone", arrows.length), this.material, arrows.length);
    const usual = arrows.reduce((most, arrow) => Math.max(most, arrow.usual), 0);
    this.scale = usual > 0 ? (0.25 * scene.size) / usual : 0;
    this.longest = most_length * scene.size;
    for (const mesh of [this.shafts, this.heads]) {
      mesh.frustumCulled = false;
      mesh.renderOrder = 10;
    }
    this.group.add(this.shafts, this.heads);
    this.group.visible = false;
  }
  private readonly r: number;
  private readonly longest: number;

  static reactions(run: Run, scene: Scene, world: WorldPoint, lift: number): Arrows {
    return new Arrows(reaction_arrows(run, scene), scene, world, lift);
  }
  static forces(run: Run, scene: Scene, world: WorldPoint, rotations: Float64Array, lift: number): Arrows {
    return new Arrows(force_arrows(run, scene, world, rotations), scene, world, lift);
  }

  set_time(t: number): void {
    if (!this.group.visible) return;
    const at = new THREE.Vector3();
    const force = new THREE.Vector3();
    const middle = new THREE.Vector3();
    const turn = new THREE.Quaternion();
    const z = new THREE.Vector3(0, 0, 1);
    const matrix = new THREE.Matrix4();
    this.arrows.forEach((arrow, i) => {
      this.world(arrow.end, at);
      at.z += this.lift;
      arrow.force(t, force);
      const length = Math.min(this.longest, force.length() * this.scale);
      const head = Math.min(0.4 * length, 7 * this.r);
      turn.setFromUnitVectors(z, length > 0 ? force.normalize() : z);
      middle.copy(at).addScaledVector(force, 0.5 * (length - head));
      const r = length > 0 ? this.r : 0;
      this.shafts.setMatrixAt(i, matrix.compose(middle, turn, new THREE.Vector3(r, r, Math.max(0, length - head))));
      middle.copy(at).addScaledVector(force, length - head);
      const width = Math.min(2.6 * this.r, 0.4 * head) * (length > 0 ? 1 : 0);
      this.heads.setMatrixAt(i, matrix.compose(middle, turn, new THREE.Vector3(width, width, head)));
    });
    this.shafts.instanceMatrix.needsUpdate = true;
    this.heads.instanceMatrix.needsUpdate = true;
  }

  paint(color: number): void {
    this.material.color.setHex(color);
  }
}
