/**
 * What crosses between Python and the browser: the types of `hookviz/widget/wire.py`, spelled alike.
 *
 * Fields keep Python's snake_case, so that one search finds both ends. `tests/wire/*.json` holds one
 * example of each that both test suites read.
 */

import type { ColoursWire } from "./colour-wire";
import type { CompareCommands, CompareReplies } from "./compare-wire";
import type { FindCommand, FindWire } from "./find-wire";
import type { CardWordsWire, Direction, GraphWire } from "./graph-wire";
import type { HealthWire } from "./health-wire";
import type { HistoryCommand, HistoryWire } from "./history-wire";
import type { HookCommand, HookReplies, HookStatesWire, ListedHookWire } from "./hook-wire";
import type { PictureWire, Slice } from "./picture-wire";
import type { PlaybackWire, StepCommand, StepReplies } from "./step-wire";

export type Tab = "output" | "input" | "grad_output" | "grad_input" | "parameters";
export type Switch = "outputs" | "gradients" | "inputs";
export type View = "all" | "diagram" | "inspector" | "switches";

/** Not-a-number and infinities travel as text, since JSON has none; null is a number that could not be had. */
export type WireNumber = number | "nan" | "inf" | "-inf" | null;

export interface TroubleWire {
  /** What shows the module in the picture as it is. */
  node_id: string;
  path: string;
  text: string;
  /** False of an interrupt, by which the user ended the run. */
  is_fault: boolean;
}

export type SessionState = "waiting" | "live" | "paused" | "closed" | "gone" | "error" | "recorded";

/** Trait `status`: the toolbar's title and the status line. */
export interface StatusWire {
  state: SessionState;
  name: string;
  parameters: string;
  mode: string;
  runs: number;
  captured: number;
  step: number;
  overhead: number;
  /** How much of the model's time that share is of: less than 20 s at the beginning. */
  overhead_seconds: number;
  /** Whether it is still that of the first runs, and falls as others follow. */
  overhead_settles: boolean;
  overhead_limit: number | null;
  kept_bytes: number;
  keep_bytes: number;
  message: string;
  trouble: TroubleWire | null;
}

/** A value of trait `switches`: one kind of capture. */
export interface SwitchWire {
  what: Switch;
  enabled: boolean;
  off_paths: string[];
  note: string;
}

export interface HistogramWire {
  low: number;
  high: number;
  counts: number[];
  sampled: number;
  of: number;
}

export interface SummaryWire {
  shape: number[];
  dtype: string;
  device: string;
  mean: WireNumber;
  std: WireNumber;
  min: WireNumber;
  max: WireNumber;
  norm: WireNumber;
  zeros: number | null;
  nans: number | null;
  infs: number | null;
  numel: number;
  histogram: HistogramWire | null;
  note: string;
}

export interface EntryWire {
  label: string;
  python: string;
  summary: SummaryWire | null;
  kept: boolean;
  note: string;
}

/** One thing that a call took: `forward`, `backward`, `activations`. */
export interface CostLineWire {
  label: string;
  text: string;
  /** Why it is not known, or what it is. */
  note: string;
}

/** Reply to `inspect`. */
export interface InspectionWire {
  node_id: string;
  path: string;
  name: string;
  type_name: string;
  detail: string;
  calls: number;
  call: number;
  step: number;
  tab: Tab;
  tabs: Tab[];
  notes: string[];
  /** What the call took; empty of what is no module, and where it was not called. */
  costs: CostLineWire[];
  off: Switch[];
  entries: EntryWire[];
}

/** Reply to `export`; the file's bytes come as a buffer. */
export interface ExportWire {
  file_name: string;
  media_type: string;
}

export interface InspectCommand {
  id: number;
  command: "inspect";
  node_id: string;
  call: number;
  tab?: Tab;
}

export interface PictureCommand extends Slice {
  id: number;
  command: "picture";
  node_id: string;
  call: number;
  tab: Tab;
  entry: number;
}

export interface FoldCommand {
  id: number;
  command: "fold";
  path: string;
  expanded: boolean;
}

export interface RevealCommand {
  id: number;
  command: "reveal";
  path: string;
}

export interface DepthCommand {
  id: number;
  command: "depth";
  depth: number;
}

export interface DirectionCommand {
  id: number;
  command: "direction";
  direction: Direction;
}

export interface BackCommand {
  id: number;
  command: "back";
}

export interface SwitchCommand {
  id: number;
  command: "switch";
  what: Switch;
  path: string | null;
  enabled: boolean;
}

export interface PauseCommand {
  id: number;
  command: "pause";
  paused: boolean;
}

export interface ExportCommand {
  id: number;
  command: "export";
  format: "svg" | "png" | "dot" | "json" | "html";
}

export type Command =
  | InspectCommand
  | PictureCommand
  | FoldCommand
  | RevealCommand
  | DepthCommand
  | DirectionCommand
  | BackCommand
  | SwitchCommand
  | PauseCommand
  | ExportCommand
  | FindCommand
  | HistoryCommand
  | StepCommand
  | CompareCommands
  | HookCommand;

/** What answers each command; commands that only change traits are answered by nothing of interest. */
export interface Replies extends HookReplies, StepReplies, CompareReplies {
  inspect: InspectionWire;
  picture: PictureWire;
  fold: unknown;
  reveal: unknown;
  depth: unknown;
  direction: unknown;
  back: unknown;
  switch: unknown;
  pause: unknown;
  export: ExportWire;
  find: FindWire;
  history: HistoryWire;
}

/** Every action is answered by one of these, under its own id. */
export type AnswerWire = { id: number; reply: unknown } | { id: number; error: string };

/** The synced traits: all that a re-opened view needs. */
export interface Traits {
  view: View;
  svg: string;
  graph: GraphWire;
  /** The numbers on all cards; a recording has none. */
  numbers?: DataView;
  /** What else stands on the cards. */
  node_data: Record<string, CardWordsWire>;
  status: StatusWire;
  switches: SwitchWire[];
  health: HealthWire;
  playback: PlaybackWire;
  /** Every hook on the model, in the order in which they run; of a recording, with its state. */
  hooks: ListedHookWire[];
  /** What each of them did and whether it is on; a recording has none. */
  hook_states?: HookStatesWire;
  /** Node or group id; empty text where nothing is selected. */
  selected: string;
  /** Paths of the unfolded containers. */
  expanded: string[];
  /** The number that cards are coloured by; empty where they are not. */
  colour_by: string;
  colours: ColoursWire;
}
