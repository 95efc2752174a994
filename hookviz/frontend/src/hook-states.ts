/** The hooks of a model with their states, which cross apart from them. */

import type { HookStatesWire, HookStateWire, HookWire, ListedHookWire } from "./hook-wire";

/** What is known of a hook whose state has not come. */
const UNKNOWN: HookStateWire = { enabled: true, pending: false, fired: 0, outcome: "", note: "" };

/** Joins the two anew where one of them changed; a hook of which neither did is the same object as before. */
export class HookReader {
  #listed: readonly ListedHookWire[] | null = null;
  #states: HookStatesWire | undefined;
  #hooks: HookWire[] = [];

  read(listed: readonly ListedHookWire[], states: HookStatesWire | undefined): readonly HookWire[] {
    if (listed === this.#listed && states === this.#states) return this.#hooks;
    const known = listed === this.#listed ? this.#hooks : [];
    // A recording has the states in its list.
    this.#hooks = listed.map((hook, index) => {
      const state = states?.states[states.of[index] ?? -1] ?? {};
      const old = known[index];
      return old !== undefined && isIn(old, state) ? old : { ...UNKNOWN, ...hook, ...state };
    });
    this.#listed = listed;
    this.#states = states;
    return this.#hooks;
  }
}

function isIn(hook: HookWire, state: Partial<HookStateWire>): boolean {
  return (Object.keys(state) as (keyof HookStateWire)[]).every((name) => hook[name] === state[name]);
}
