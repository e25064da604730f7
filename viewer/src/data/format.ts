// What a pack contains; written by trammel::report (pack.h, scene_json.h).

export type Vector = [number, number, number];
/** w, x, y, z */
export type Quaternion = [number, number, number, number];

export interface Place {
  position?: Vector;
  rotation?: Quaternion;
}

export interface Part extends Place {
  kind: "box" | "cylinder" | "sphere" | "cone" | "bar" | "mesh";
  size: Vector;
  /** of a mesh: its number among those of the scene */
  mesh?: number;
  /** darker: shows how the body turns */
  mark?: boolean;
  /** "#rrggbb" */
  color?: string;
}

/** A surface of triangles: little-endian numbers in base64. */
export interface Mesh {
  /** float32 x, y, z */
  points: string;
  /** uint32, three per triangle */
  triangles: string;
}

export interface Frame extends Place {
  name: string;
}

export interface Body extends Place {
  name: string;
  kind?: "point";
  mass: number;
  inertia?: number[];
  center?: Vector;
  velocity?: Vector;
  angular_velocity?: Vector;
  layer?: number;
  shaped?: boolean;
  frames?: Frame[];
  parts: Part[];
}

export interface End extends Place {
  /** index of the body; -1 is the ground */
  body: number;
  label: string;
}

export type Value = [name: string, value: number | boolean | string | Vector | number[] | string[], unit: string];

export interface Item {
  name: string;
  type: string;
  ends: End[];
  values?: Value[];
}

export interface Scene {
  version: number;
  space: "planar" | "spatial";
  size: number;
  bar_width: number;
  gravity: Vector;
  frames?: Frame[];
  meshes?: Mesh[];
  /** curves on the ground that guide bodies */
  ground_parts?: Part[];
  bodies: Body[];
  joints: Item[];
  forces: Item[];
  sensors?: Item[];
  couplings?: Item[];
  drives?: Item[];
  simulation: {
    until: number;
    step: number;
    output_step: number;
    integrator: string;
    solver: string;
    values?: Value[];
  };
}

export interface RunRecord {
  name: string;
  method: string;
  software: string;
  started: string;
  outcome: "running" | "completed" | "stopped" | "failed";
  message: string;
  model_text: string;
  information: [string, string][];
  facts: [string, string][];
  warnings: string[];
  statistics: Record<string, number>;
}

/** name, byte offset, base value, and for samples the number of its kind */
export type ChannelEntry = [name: string, at: number, base: number, kind?: number];

export interface Block {
  rows: number;
  time_at: number;
  channels: ChannelEntry[];
}

export interface Header {
  format: "trammel";
  version: number;
  run: RunRecord;
  scene?: Scene;
  rows: number;
  left_out: number;
  /** display units by the unit of channels: what to write, and shown value per value */
  display?: Record<string, [unit: string, factor: number]>;
  /** channels to plot at first; patterns with * */
  plots?: string[];
  samples: Block;
  /** unit, frame and description, shared by many channels */
  kinds: [unit: string, frame: string, description: string][];
  frames?: Block;
}

export const newest_version = 1;
