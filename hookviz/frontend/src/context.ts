/** What every pane of one view shares. */

import type { AnyModel } from "@anywidget/types";
import { type ReadonlySignal, Signal } from "@preact/signals-core";
import { followConnection } from "./connection";
import { Kernel } from "./kernel";
import { followTheme, type Scheme } from "./theme";
import { followTraits, type TraitSignals } from "./traits";
import type { GroupWire, NodeWire, Traits } from "./wire";

/** The side panes, which are drawers where the view is narrow. */
export type Drawer = "switches" | "inspector";

export interface Context {
  readonly traits: TraitSignals;
  readonly kernel: Kernel;
  readonly isConnected: ReadonlySignal<boolean>;
  readonly scheme: ReadonlySignal<Scheme>;
  /** State of this view alone, which never syncs with Python. */
  readonly isNarrow: Signal<boolean>;
  readonly openDrawer: Signal<Drawer | null>;
  /** Selects in all views of the model; empty text selects nothing. */
  select(nodeId: string): void;
}

export function createContext(
  model: AnyModel<Traits>,
  el: HTMLElement,
  root: HTMLElement,
  signal: AbortSignal,
): Context {
  const isConnected = followConnection(el, signal);
  return {
    traits: followTraits(model, signal),
    kernel: new Kernel(model, isConnected, signal),
    isConnected,
    scheme: followTheme(root, signal),
    isNarrow: new Signal(false),
    openDrawer: new Signal<Drawer | null>(null),
    select(nodeId) {
      if (model.get("selected") === nodeId) return;
      model.set("selected", nodeId);
      model.save_changes();
    },
  };
}

/** The selected node or unfolded container, null if nothing is selected or it is folded away. */
export function findSelected({ traits }: Context): NodeWire | GroupWire | null {
  const { nodes, groups } = traits.graph.value;
  const id = traits.selected.value;
  return nodes.find((node) => node.id === id) ?? groups.find((group) => group.id === id) ?? null;
}

/** Whether captures can be switched at this node: it stands for a module. */
export function isModule(item: NodeWire | GroupWire): boolean {
  return !("kind" in item) || item.kind === "module";
}
