/** What crosses about hooks: the types of `hookviz/widget/hook_wire.py`, spelled alike; see `wire.ts`. */

import type { SummaryWire } from "./wire";

/** Where a hook's pill stands; `other` has none. */
export type HookSide = "input" | "output" | "gradient" | "parameter" | "other";
/** What a hook did in the shown run; empty text: it did not run. */
export type Outcome = "" | "observed" | "changed" | "did not act" | "raised";
export type HookOwner = "hookviz" | "user" | "other";
export type InterventionName = "zero" | "scale" | "add" | "clamp" | "noise" | "replace";
export type Target = "output" | "input" | "grad_output" | "grad_input";

/** A hook's mark on a card; several hooks share the last one where a card has too many. */
export interface PillWire {
  hook_ids: string[];
  text: string;
  side: HookSide;
  /** What the pointer shows over it in a picture without a kernel. */
  title: string;
}

/** A value of trait `hooks`: one hook on the model, in the order in which they run. */
export interface ListedHookWire {
  id: string;
  kind: string;
  path: string;
  /** Ids of the nodes that may carry its pill, whatever is folded. */
  node_ids: string[];
  label: string;
  source: string;
  owner: HookOwner;
  flags: string[];
  side: HookSide;
  /** Why it cannot be switched, else empty. */
  protected: string;
  removable: boolean;
  /** One line that explains its kind to a learner. */
  about: string;
}

/** What of a hook changes from run to run. */
export interface HookStateWire {
  enabled: boolean;
  /** Its switch waits for the end of the present run. */
  pending: boolean;
  fired: number;
  outcome: Outcome;
  /** What it did last, or why it has not run yet. */
  note: string;
}

/** All that is told of one hook. */
export interface HookWire extends ListedHookWire, HookStateWire {}

/** Trait `hook_states`: the different states, and which of them each hook of trait `hooks` has. */
export interface HookStatesWire {
  states: HookStateWire[];
  of: number[];
}

/** One tensor that a hook was given, before and after it; `after` is null where it stayed as it was. */
export interface EffectEntryWire {
  label: string;
  before: SummaryWire | null;
  after: SummaryWire | null;
  before_values: string;
  after_values: string;
  difference: string;
  note: string;
}

/** What one hook did in one call. */
export interface EffectWire {
  hook_id: string;
  order: number;
  outcome: Outcome;
  text: string;
  entries: EffectEntryWire[];
}

/** Reply to `effects`. */
export interface HooksTabWire {
  node_id: string;
  call: number;
  hook_ids: string[];
  effects: EffectWire[];
  /** What an intervention may act on here; empty where none can be made. */
  targets: Target[];
  /** Runs whose output here may be put in its place, newest first: `run 12`. */
  replacements: string[];
}

export interface RefusedWire {
  hook_id: string;
  reason: string;
}

/** Reply to `hook_switch`. */
export interface HookSwitchWire {
  refused: RefusedWire[];
}

/** Reply to `intervene`. */
export interface InterveneWire {
  hook_id: string;
}

export interface HookSwitchCommand {
  id: number;
  command: "hook_switch";
  hook_ids: string[];
  enabled: boolean;
}

export interface HookRemoveCommand {
  id: number;
  command: "hook_remove";
  hook_id: string;
}

export interface EffectsCommand {
  id: number;
  command: "effects";
  node_id: string;
  call: number;
}

export interface InterveneCommand {
  id: number;
  command: "intervene";
  node_id: string;
  intervention: InterventionName;
  target: Target;
  arguments: Record<string, number | string>;
  /** A slice as one writes it, `[:, 0]`; empty for the whole tensor. */
  at: string;
}

export type HookCommand = HookSwitchCommand | HookRemoveCommand | EffectsCommand | InterveneCommand;

/** What answers each command about hooks. */
export interface HookReplies {
  hook_switch: HookSwitchWire;
  hook_remove: unknown;
  effects: HooksTabWire;
  intervene: InterveneWire;
}
