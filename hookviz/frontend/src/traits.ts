/** The synced traits as signals: what Python says, readable by every view. */

import type { AnyModel } from "@anywidget/types";
import { type ReadonlySignal, Signal } from "@preact/signals-core";
import { CardLineReader, type CardLines } from "./card-lines";
import { HookReader } from "./hook-states";
import type { HookWire } from "./hook-wire";
import type { Traits } from "./wire";

type Plain = Omit<Traits, "numbers" | "node_data" | "hooks" | "hook_states">;

export type TraitSignals = { readonly [K in keyof Plain]: ReadonlySignal<Plain[K]> } & {
  /** The live lines of each card, by node or group id. */
  readonly node_data: ReadonlySignal<CardLines>;
  /** Every hook on the model, in the order in which they run. */
  readonly hooks: ReadonlySignal<readonly HookWire[]>;
};

export function followTraits(model: AnyModel<Traits>, signal: AbortSignal): TraitSignals {
  /** What is read from some traits; of those that come in one message, the first sees all. */
  const made = <T>(names: readonly (keyof Traits)[], read: () => T): ReadonlySignal<T> => {
    const value = new Signal(read());
    const update = () => {
      value.value = read();
    };
    for (const name of names) {
      model.on(`change:${name}`, update);
      signal.addEventListener("abort", () => model.off(`change:${name}`, update), { once: true });
    }
    return value;
  };
  const trait = <K extends keyof Plain>(name: K): ReadonlySignal<Plain[K]> => made([name], () => model.get(name));
  const cards = new CardLineReader();
  const hooks = new HookReader();
  return {
    view: trait("view"),
    // A picture is never shown with the graph of the one before, whichever the message has first.
    graph: made(["svg", "graph"], () => model.get("graph")),
    svg: trait("svg"),
    node_data: made(["graph", "numbers", "node_data"], () =>
      cards.read(model.get("graph"), model.get("numbers"), model.get("node_data")),
    ),
    status: trait("status"),
    switches: trait("switches"),
    health: trait("health"),
    playback: trait("playback"),
    hooks: made(["hooks", "hook_states"], () => hooks.read(model.get("hooks"), model.get("hook_states"))),
    selected: trait("selected"),
    expanded: trait("expanded"),
    colour_by: trait("colour_by"),
    colours: trait("colours"),
  };
}
