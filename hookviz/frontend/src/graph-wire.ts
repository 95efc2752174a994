/** A laid-out graph and the lines on its cards: the types of `hookviz/widget/graph_wire.py`, spelled alike. */

import type { PillWire } from "./hook-wire";

export interface NodeWire {
  id: string;
  kind: "module" | "op" | "input" | "output" | "parameter";
  path: string;
  name: string;
  type_name: string;
  detail: string;
  group: string | null;
  calls: number;
  is_foldable: boolean;
  passes_through: boolean;
  in_place: boolean;
  repeats: number;
  /** Paths of the identical siblings that it stands for; empty for a node by itself and for operations. */
  members: string[];
  /** It can be put back to identical siblings, by folding it. */
  is_taken_out: boolean;
  /** Its hooks, in the order in which they run. */
  pills: PillWire[];
}

export interface GroupWire {
  id: string;
  path: string;
  name: string;
  type_name: string;
  parent: string | null;
  calls: number;
  pills: PillWire[];
}

export interface EdgeWire {
  id: string;
  source: string;
  target: string;
  shape: string;
}

/** From the top to the bottom, or from left to right. */
export type Direction = "TB" | "LR";

/** Trait `graph`: what the trait `svg` shows. */
export interface GraphWire {
  title: string;
  nodes: NodeWire[];
  groups: GroupWire[];
  edges: EdgeWire[];
  is_traced: boolean;
  direction: Direction;
  /** Whether there was another layout before, to which `back` leads. */
  leads_back: boolean;
  depth: number;
  max_depth: number;
}

export type NodeState = "idle" | "captured" | "off" | "failed" | "unobservable";

/** The live lines of one card; a live view makes them of the traits `numbers` and `node_data`, see `card-lines`. */
export interface NodeDataWire {
  state: NodeState;
  spark: string;
  value: string;
  gradient: string;
  trouble: string;
  note: string;
}

/** A value of trait `node_data`, by node or group id: those lines of a card that are no numbers; of a recording, all. */
export type CardWordsWire = Partial<NodeDataWire>;
