// The model as a tree: bodies, joints, forces, each with its channels.
import type { Channel, Run } from "../data/run";

export interface TreeNode {
  id: string;
  label: string;
  /** said quietly beside the label: the type of a joint, a unit */
  note: string;
  kind: "section" | "body" | "joint" | "force" | "group" | "channel";
  /** index of a body, joint or force */
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

/** Channels "position.x", "position.y" become a group "position" with x and y. */
function channel_nodes(prefix: string, channels: Channel[]): TreeNode[] {
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

export function build_tree(run: Run): TreeNode[] {
  const by_item = new Map<string, Channel[]>();
  for (const channel of run.channels) {
    const item = channel.name.slice(0, Math.max(0, channel.name.indexOf(".")));
    const list = by_item.get(item);
    if (list) list.push(channel);
    else by_item.set(item, [channel]);
  }
  const taken = new Set<string>();
  const item_node = (kind: "body" | "joint" | "force", name: string, note: string, index: number): TreeNode => {
    taken.add(name);
    const channels = by_item.get(name) ?? [];
    return {
      id: `${kind}:${name}`,
      label: name,
      note,
      kind,
      index,
      channels: [],
      children: () => channel_nodes(`${name}.`, channels),
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
  const joints = scene?.joints.map((joint, i) => item_node("joint", joint.name, joint.type, i)) ?? [];
  const forces = scene?.forces.map((force, i) => item_node("force", force.name, force.type, i)) ?? [];
  const others: TreeNode[] = [];
  for (const [name, channels] of by_item) {
    if (taken.has(name)) continue;
    if (!name) others.push(...channels.map((channel) => leaf(channel, channel.name)));
    else others.push({ ...item_node("joint", name, "", -1), kind: "group", channels: [] });
  }
  const list = [
    section("Bodies", bodies),
    section("Joints", joints),
    section("Forces", forces),
    section(scene ? "Run" : "Channels", others),
  ];
  return list.filter((node) => node.children().length);
}

/** Items and channels whose names contain all words. */
export function search_tree(run: Run, tree: TreeNode[], text: string, most: number): TreeNode[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (name: string): boolean => words.every((word) => name.toLowerCase().includes(word));
  const found: TreeNode[] = [];
  for (const section of tree) {
    for (const node of section.children()) {
      if (found.length < most && node.index >= 0 && fits(`${node.label} ${node.note}`)) found.push(node);
    }
  }
  for (const channel of run.channels) {
    if (found.length >= most) break;
    if (fits(`${channel.name} ${channel.description}`)) found.push(leaf(channel, channel.name));
  }
  return found;
}
