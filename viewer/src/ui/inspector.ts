// All properties of the selected body, joint or force.
import type { Body, Item, Scene, Value } from "../data/format";
import { h, icon_button, set_pressed } from "./dom";
import { number_text, vector_text, with_unit } from "./numbers";

export interface InspectorActions {
  follow(body: number): void;
  followed(): number;
  trace(body: number, frame?: number): void;
  traced(body: number, frame?: number): boolean;
  close(): void;
  can_draw(): boolean;
}

type Property = [string, string];

function value_text(value: Value[1]): string {
  if (Array.isArray(value)) {
    return `[${value.map((each) => (typeof each === "number" ? number_text(each) : each)).join(", ")}]`;
  }
  if (typeof value === "number") return number_text(value, 6);
  if (typeof value === "boolean") return value ? "yes" : "no";
  return value;
}

function body_properties(body: Body, planar: boolean): Property[] {
  const flat = (v: readonly number[]): readonly number[] => (planar ? v.slice(0, 2) : v);
  const list: Property[] = [["mass", with_unit(number_text(body.mass, 6), "kg")]];
  if (body.inertia) {
    const text = planar ? number_text(body.inertia[0], 6) : vector_text(body.inertia.slice(0, 3), 4);
    list.push([planar ? "inertia" : "Jxx, Jyy, Jzz", with_unit(text, "kg m^2")]);
    if (body.inertia.slice(3).some((value) => value !== 0)) {
      list.push(["Jxy, Jxz, Jyz", with_unit(vector_text(body.inertia.slice(3), 4), "kg m^2")]);
    }
  }
  if (body.center) list.push(["center", with_unit(vector_text(flat(body.center)), "m")]);
  list.push(["position", with_unit(vector_text(flat(body.position ?? [0, 0, 0])), "m")]);
  if (body.rotation) {
    const [w, x, y, z] = body.rotation;
    if (planar) list.push(["angle", `${number_text((2 * Math.atan2(z, w) * 180) / Math.PI)}°`]);
    else list.push(["orientation", vector_text([w, x, y, z])]);
  }
  if (body.velocity) list.push(["velocity", with_unit(vector_text(flat(body.velocity)), "m/s")]);
  if (body.angular_velocity) {
    const text = planar ? number_text(body.angular_velocity[2]) : vector_text(body.angular_velocity);
    list.push(["angular velocity", with_unit(text, "rad/s")]);
  }
  list.push(["drawn as", body.shaped ? "its shapes" : "suggested by joints and inertia"]);
  return list;
}

function item_properties(item: Item, planar: boolean): Property[] {
  const list: Property[] = [["type", item.type]];
  item.ends.forEach((end, i) => {
    const p = end.position ?? [0, 0, 0];
    const name = item.ends.length === 1 ? "on" : i === 0 ? "from" : "to";
    list.push([name, `${end.label}, at ${vector_text(planar ? p.slice(0, 2) : p)}`]);
  });
  for (const [name, value, unit] of item.values ?? []) list.push([name.replace(/_/g, " "), with_unit(value_text(value), unit)]);
  return list;
}

function items_of(scene: Scene, kind: string): Item[] {
  const lists: Record<string, Item[] | undefined> = {
    joint: scene.joints,
    force: scene.forces,
    sensor: scene.sensors,
    coupling: scene.couplings,
    drive: scene.drives,
  };
  return lists[kind] ?? [];
}

export class Inspector {
  readonly element = h("section", { class: "inspector", "aria-label": "Properties" });

  constructor(
    private readonly scene: Scene | undefined,
    private readonly actions: InspectorActions,
  ) {
    this.element.hidden = true;
  }

  hide(): void {
    this.element.hidden = true;
  }

  show(kind: string, index: number): void {
    if (!this.scene) return;
    const planar = this.scene.space === "planar";
    const item = kind === "body" ? this.scene.bodies[index] : items_of(this.scene, kind)[index];
    if (!item) return;
    const properties = kind === "body" ? body_properties(item as Body, planar) : item_properties(item as Item, planar);
    const tools = h("div", { class: "inspector-tools" });
    if (kind === "body" && this.actions.can_draw()) this.add_body_tools(tools, index);
    const close = icon_button("close", "Close", () => this.actions.close(), "Esc");
    const table = h("dl", {});
    for (const [name, text] of properties) table.append(h("dt", {}, name), h("dd", {}, text));
    this.element.replaceChildren(
      h("header", {}, h("h3", {}, item.name), h("span", { class: "note" }, kind), close),
      tools,
      table,
    );
    if (kind === "body") this.add_frames(item as Body, index, planar);
    this.element.hidden = false;
  }

  private add_body_tools(tools: HTMLElement, body: number): void {
    const follow = icon_button("follow", "Follow with the camera", () => {
      this.actions.follow(this.actions.followed() === body ? -1 : body);
      set_pressed(follow, this.actions.followed() === body);
    });
    follow.append("Follow");
    set_pressed(follow, this.actions.followed() === body);
    const trace = icon_button("trace", "Trace the path of its mass centre", () => {
      this.actions.trace(body);
      set_pressed(trace, this.actions.traced(body));
    });
    trace.append("Trace");
    set_pressed(trace, this.actions.traced(body));
    tools.append(follow, trace);
  }

  private add_frames(body: Body, index: number, planar: boolean): void {
    if (!body.frames?.length) return;
    const list = h("dl", { class: "frames" });
    body.frames.forEach((frame, i) => {
      const p = frame.position ?? [0, 0, 0];
      const trace = icon_button("trace", `Trace the path of ${frame.name}`, () => {
        this.actions.trace(index, i);
        set_pressed(trace, this.actions.traced(index, i));
      });
      set_pressed(trace, this.actions.traced(index, i));
      list.append(
        h("dt", {}, frame.name),
        h("dd", {}, with_unit(vector_text(planar ? p.slice(0, 2) : p), "m"), this.actions.can_draw() && trace),
      );
    });
    this.element.append(h("h4", {}, "Frames"), list);
  }
}
