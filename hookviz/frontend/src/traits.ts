/** The synced traits as signals: what Python says, readable by every view. */

import type { AnyModel } from "@anywidget/types";
import { type ReadonlySignal, Signal } from "@preact/signals-core";
import type { Traits } from "./wire";

export type TraitSignals = { readonly [K in keyof Traits]: ReadonlySignal<Traits[K]> };

export function followTraits(model: AnyModel<Traits>, signal: AbortSignal): TraitSignals {
  const trait = <K extends keyof Traits>(name: K): ReadonlySignal<Traits[K]> => {
    const value = new Signal(model.get(name));
    const update = () => {
      value.value = model.get(name);
    };
    model.on(`change:${name}`, update);
    signal.addEventListener("abort", () => model.off(`change:${name}`, update), { once: true });
    return value;
  };
  return {
    view: trait("view"),
    svg: trait("svg"),
    graph: trait("graph"),
    node_data: trait("node_data"),
    status: trait("status"),
    switches: trait("switches"),
    hooks: trait("hooks"),
    selected: trait("selected"),
    expanded: trait("expanded"),
  };
}
