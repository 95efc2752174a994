/** What crosses to compare two values: the types of `hookviz/widget/compare_wire.py`, spelled alike. */

import type { PictureWire, Slice } from "./picture-wire";
import type { SummaryWire, Tab, WireNumber } from "./wire";

/** One tensor of the inspector: at a node, in one call, in one tab. */
export interface Place {
  node_id: string;
  call: number;
  tab: Tab;
  entry: number;
}

export interface PlaceWire extends Place {
  /** The captured run that it is of; of a parameter, the newest one when it was looked at. */
  step: number;
  /** `fc · output · call 2 of 3 · step 120`. */
  words: string;
  python: string;
}

/** Two tensors value by value. */
export interface DifferenceWire {
  numel: number;
  differing: number;
  not_finite: number;
  largest: WireNumber;
  index: number[] | null;
  at_a: string;
  at_b: string;
  mean: WireNumber;
  norm: WireNumber;
  relative: WireNumber;
  cosine: WireNumber;
}

export type Statistic = "mean" | "std" | "min" | "max" | "norm" | "zeros" | "nans" | "infs";

/** Reply to `compare`. */
export interface CompareWire {
  a: PlaceWire;
  b: PlaceWire;
  a_summary: SummaryWire;
  b_summary: SummaryWire;
  /** That of A less that of B. */
  deltas: Record<Statistic, WireNumber>;
  difference: DifferenceWire | null;
  /** The same slice of A, of B and of A − B, each with its buffer; empty where there is nothing to draw. */
  pictures: PictureWire[];
  why: string;
}

/** Compare others with this place; an empty `node_id` ends it. */
export interface PinCommand extends Place {
  id: number;
  command: "pin";
}

export interface SwapCommand extends Place {
  id: number;
  command: "swap";
}

export interface CompareCommand extends Place, Slice {
  id: number;
  command: "compare";
}

export type CompareCommands = PinCommand | SwapCommand | CompareCommand;

export interface CompareReplies {
  pin: unknown;
  /** Where what was pinned is to be seen. */
  swap: PlaceWire;
  compare: CompareWire;
}
