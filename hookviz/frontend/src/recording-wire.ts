/** What a recording holds: the types of `hookviz/widget/recording_wire.py`, spelled alike; see `wire.ts`. */

import type { ColoursWire } from "./colour-wire";
import type { GraphWire, NodeDataWire } from "./graph-wire";
import type { HealthWire } from "./health-wire";
import type { HooksTabWire, HookWire } from "./hook-wire";
import type { PictureWire } from "./picture-wire";
import type { CostLineWire, EntryWire, StatusWire, Switch, Tab } from "./wire";

/** A first slice of a tensor; `values` times `scale` are its numbers, row by row. */
export interface RecordedPictureWire extends PictureWire {
  scale: number;
  /** float16, least significant byte first, in base64. */
  values: string;
}

export interface RecordedEntryWire extends EntryWire {
  /** Null where `kept` is false; `note` then says why. */
  picture: RecordedPictureWire | null;
}

export interface RecordedCallWire {
  notes: string[];
  costs: CostLineWire[];
  /** By tab, the parameters left out: they are those of every call. */
  entries: Partial<Record<Tab, RecordedEntryWire[]>>;
  hooks: HooksTabWire;
}

export interface RecordedNodeWire {
  path: string;
  name: string;
  type_name: string;
  detail: string;
  step: number;
  tabs: Tab[];
  off: Switch[];
  parameters: RecordedEntryWire[];
  /** How often it was called; `calls` may hold fewer. */
  calls_seen: number;
  /** At least one: of a node that was not called, it says why. */
  calls: RecordedCallWire[];
}

/** One layout of the diagram. */
export interface RecordedSceneWire {
  svg: string;
  graph: GraphWire;
  node_data: Record<string, NodeDataWire>;
  expanded: string[];
  health: HealthWire;
  /** By the number that cards are coloured by; under empty text, that there are none. */
  colours: Record<string, ColoursWire>;
}

export interface RecordingWire {
  version: number;
  status: StatusWire;
  hooks: HookWire[];
  /** From folded to unfolded. */
  scenes: RecordedSceneWire[];
  /** Which of them is shown first. */
  opening: number;
  selected: string;
  /** The number that cards are coloured by at first; empty for none. */
  colour_by: string;
  /** By id, all nodes and groups of the scenes. */
  nodes: Record<string, RecordedNodeWire>;
}
