/** What crosses about captured steps: the types of `hookviz/widget/step_wire.py`, spelled alike. */

import type { Place, PlaceWire } from "./compare-wire";

/** Trait `playback`: which captured steps there are, and which of them is shown. */
export interface PlaybackWire {
  /** Those that can be shown, oldest first. */
  steps: number[];
  /** The past step that is shown for as long as nobody goes on; null while the newest is. */
  held: number | null;
  /** 0 before the first run. */
  newest: number;
  /** What is not as it was in the picture of the held step, else empty. */
  note: string;
  /** Path of the part of the model that the shown run was of, called by itself; empty for the whole model. */
  part: string;
  /** The newest step of the whole model that returned, where the shown one is of a part and there is such a step. */
  whole: number | null;
  /** Paths of the modules whose tensors somebody asked to keep. */
  kept_first: string[];
  /** What others are compared with. */
  pinned: PlaceWire | null;
}

/** Of a recording, which has no other steps. */
export const NO_PLAYBACK: PlaybackWire = {
  steps: [],
  held: null,
  newest: 0,
  note: "",
  part: "",
  whole: null,
  kept_first: [],
  pinned: null,
};

/** Show a captured step; null goes back to the newest. */
export interface HoldCommand {
  id: number;
  command: "hold";
  step: number | null;
}

/** Keep the tensors of a module before all others from the next run on, or no longer. */
export interface KeepCommand extends Place {
  id: number;
  command: "keep";
  kept: boolean;
}

export type StepCommand = HoldCommand | KeepCommand;

export interface StepReplies {
  hold: unknown;
  keep: { text: string };
}
