/** A card in words, for who hears the picture instead of seeing it. */

import type { GroupWire, NodeDataWire, NodeState, NodeWire } from "./graph-wire";

export function describe(item: NodeWire | GroupWire, data: NodeDataWire | undefined): string {
  return [nameOf(item), item.type_name, ...repetitions(item), foldState(item), ...told(item), ...values(data)]
    .filter((part) => part !== "")
    .join(", ");
}

/** What the item is called where it stands alone: its whole path, else its kind and name. */
export function nameOf(item: NodeWire | GroupWire): string {
  if ("kind" in item && item.kind !== "module") {
    if (item.name === item.kind) return item.name;
    return item.kind === "op" ? `operation ${item.name}` : `${item.kind} ${item.name}`;
  }
  return item.path === "" ? item.name : item.path;
}

function repetitions(item: NodeWire | GroupWire): string[] {
  const alike = "repeats" in item && item.repeats > 1 ? `${item.repeats} alike` : "";
  return [alike, item.calls > 1 ? `called ${item.calls} times, last call shown` : ""];
}

function foldState(item: NodeWire | GroupWire): string {
  if (!("kind" in item)) return "unfolded";
  if (item.is_taken_out) return "taken out of a row";
  return item.is_foldable ? "folded" : "";
}

function told(item: NodeWire | GroupWire): string[] {
  if (!("kind" in item)) return [];
  return [item.detail, item.passes_through ? "passes through" : "", item.in_place ? "in place" : ""];
}

function values(data: NodeDataWire | undefined): string[] {
  if (data === undefined) return [];
  const mean = data.value.trim();
  return [
    stateWord(data.state),
    mean === "" ? "" : `output ${mean}`,
    data.gradient.startsWith("∇") ? `gradient ${data.gradient.slice(1).trim()}` : data.gradient,
    data.trouble,
    data.note,
  ];
}

function stateWord(state: NodeState): string {
  switch (state) {
    case "off":
      return "capturing is off";
    case "failed":
      return "failed";
    case "unobservable":
      return "not observable";
    case "idle":
    case "captured":
      return "";
    default:
      return state satisfies never;
  }
}
