// The model as a tree: bodies, joints, forces, each with its channels.
import type { Item } from "../data/format";
import type { Channel, Run } from "../data/run";
import { other_words } from "../stage/joint_kinds";

export type ItemKind = "joint" | "force" | "sensor" | "coupling" | "drive";

export interface TreeNode {
  id: string;
  label: string;
  /** said quietly beside the label: the type of a joint, a unit */
  note: string;
  kind: "section" | "body" | ItemKind | "group" | "channel";
  /** index of a body, joint, force, ... */
  index: number;
  /** a channel, or all channels of a group */
  channels: string[];
  children: () => TreeNode[];
  expandable: boolean;
}

const none = (): TreeNode[] => [];

function leaf(channel: Channel, label: string): TreeNode {
  return {
    id: `channel:${channel.name}`,
    label,
    note: channel.unit,
    kind: "channel",
    index: -1,
    channels: [channel.name],
    children: none,
    expandable: false,
  };
}

/** Channels "position.x", "position.y" of an item become a group "position" with x and y. */
function channel_nodes(item: string, channels: Channel[]): TreeNode[] {
  const own = channels.filter((channel) => !channel.name.startsWith(`${item}.`));
  const others = channels.filter((channel) => channel.name.startsWith(`${item}.`));
  // A sensor "height" has the channels "height", "height_rate" and "height_acceleration".
  return [...own.map((channel) => leaf(channel, channel.name.slice(item.lastIndexOf(".") + 1))), ...grouped(`${item}.`, others)];
}

function grouped(prefix: string, channels: Channel[]): TreeNode[] {
  const groups = new Map<string, Channel[]>();
  for (const channel of channels) {
    const rest = channel.name.slice(prefix.length);
    const dot = rest.lastIndexOf(".");
    const head = dot < 0 ? "" : rest.slice(0, dot);
    groups.set(head, [...(groups.get(head) ?? []), channel]);
  }
  const nodes: TreeNode[] = [];
  for (const [head, list] of groups) {
    const leaves = list.map((channel) => leaf(channel, channel.name.slice(prefix.length + (head ? head.length + 1 : 0))));
    if (!head || list.length === 1) {
      nodes.push(...list.map((channel) => leaf(channel, channel.name.slice(prefix.length))));
      continue;
    }
    nodes.push({
      id: `group:${prefix}${head}`,
      label: head,
      note: list[0].unit,
      kind: "group",
      index: -1,
      channels: list.map((channel) => channel.name),
      children: () => leaves,
      expandable: true,
    });
  }
  return nodes;
}

function item_names(run: Run): Set<string> {
  const { scene } = run;
  if (!scene) return new Set();
  const lists = [scene.bodies, scene.joints, scene.forces, scene.sensors, scene.couplings, scene.drives];
  return new Set(lists.flatMap((list) => (list ?? []).map((item) => item.name)));
}

/** The item to which a channel belongs: names of items may have dots ("left_leg.shin.position.x"). */
function owner(channel: string, known: Set<string>): string {
  const whole = channel.replace(/_(rate|acceleration)$/, "");
  if (known.has(whole)) return whole;
  for (let dot = channel.lastIndexOf("."); dot > 0; dot = channel.lastIndexOf(".", dot - 1)) {
    if (known.has(channel.slice(0, dot))) return channel.slice(0, dot);
  }
  return channel.slice(0, Math.max(0, channel.indexOf(".")));
}

export function build_tree(run: Run): TreeNode[] {
  const by_item = new Map<string, Channel[]>();
  const known = item_names(run);
  for (const channel of run.channels) {
    const item = owner(channel.name, known);
    const list = by_item.get(item);
    if (list) list.push(channel);
    else by_item.set(item, [channel]);
  }
  const taken = new Set<string>();
  const item_node = (kind: "body" | ItemKind, name: string, note: string, index: number): TreeNode => {
    taken.add(name);
    const channels = by_item.get(name) ?? [];
    return {
      id: `${kind}:${name}`,
      label: name,
      note,
      kind,
      index,
      channels: [],
      children: () => channel_nodes(name, channels),
      expandable: channels.length > 0,
    };
  };
  const section = (label: string, nodes: TreeNode[]): TreeNode => ({
    id: `section:${label}`,
    label,
    note: String(nodes.length),
    kind: "section",
    index: -1,
    channels: [],
    children: () => nodes,
    expandable: true,
  });
  const scene = run.scene;
  const bodies = scene?.bodies.map((body, i) => item_node("body", body.name, body.kind ?? "", i)) ?? [];
  const items = (kind: ItemKind, list: Item[] | undefined): TreeNode[] =>
    (list ?? []).map((item, i) => item_node(kind, item.name, item.type, i));
  const sections = [
    section("Bodies", bodies),
    section("Joints", items("joint", scene?.joints)),
    section("Couplings", items("coupling", scene?.couplings)),
    section("Drives", items("drive", scene?.drives)),
    section("Forces", items("force", scene?.forces)),
    section("Sensors", items("sensor", scene?.sensors)),
  ];
  const others: TreeNode[] = [];
  for (const [name, channels] of by_item) {
    if (taken.has(name)) continue;
    if (!name) others.push(...channels.map((channel) => leaf(channel, channel.name)));
    else others.push({ ...item_node("joint", name, "", -1), kind: "group", channels: [] });
  }
  sections.push(section(scene ? "Run" : "Channels", others));
  return sections.filter((node) => node.children().length);
}

/** Items and channels whose names contain all words; types also by what others call them. */
export function search_tree(run: Run, tree: TreeNode[], text: string, most: number): TreeNode[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (name: string): boolean => words.every((word) => name.toLowerCase().includes(word));
  const found: TreeNode[] = [];
  for (const section of tree) {
    for (const node of section.children()) {
      const words = `${node.label} ${node.note} ${other_words[node.note] ?? ""}`;
      if (found.length < most && node.index >= 0 && fits(words)) found.push(node);
    }
  }
  for (const channel of run.channels) {
    if (found.length >= most) break;
    if (fits(`${channel.name} ${channel.description}`)) found.push(leaf(channel, channel.name));
  }
  return found;
}
