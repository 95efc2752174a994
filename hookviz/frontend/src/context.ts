/** What every pane of one view shares. */

import type { AnyModel } from "@anywidget/types";
import { computed, type ReadonlySignal, Signal } from "@preact/signals-core";
import { followConnection } from "./connection";
import type { HitWire } from "./find-wire";
import type { GroupWire, NodeWire } from "./graph-wire";
import { createHookBoard, type HookBoard } from "./hook-board";
import { EVERY_HOOK, type HookFilter } from "./hook-filter";
import { Kernel } from "./kernel";
import { followTheme, type Scheme } from "./theme";
import { followTraits, type TraitSignals } from "./traits";
import type { Traits } from "./wire";

/** The side panes, which are drawers where the view is narrow. */
export type Drawer = "switches" | "inspector";

export interface Context {
  readonly traits: TraitSignals;
  readonly kernel: Kernel;
  readonly isConnected: ReadonlySignal<boolean>;
  readonly scheme: ReadonlySignal<Scheme>;
  /** The hooks on the model and their switches. */
  readonly hooks: HookBoard;
  /** State of this view alone, which never syncs with Python. */
  readonly isNarrow: Signal<boolean>;
  readonly openDrawer: Signal<Drawer | null>;
  /** Which hooks the list shows. */
  readonly hookFilter: Signal<HookFilter>;
  /** What was found and is lit in the picture. */
  readonly hits: Signal<readonly HitWire[]>;
  readonly isHelpOpen: Signal<boolean>;
  /** Whether the inspector stands beside the diagram; in a narrow view it is a drawer instead. */
  readonly isInspecting: Signal<boolean>;
  /** Goes up with each selection made in this view, also of what is selected already: one wants to be led to it. */
  readonly selections: Signal<number>;
  /** Selects in all views of the model; empty text selects nothing. */
  select(nodeId: string): void;
  /** Colours the cards by one of their numbers, in all views of the model; empty text takes the colours off. */
  colourBy(by: string): void;
}

export function createContext(
  model: AnyModel<Traits>,
  el: HTMLElement,
  root: HTMLElement,
  signal: AbortSignal,
): Context {
  const connection = followConnection(el, model.widget_manager, signal);
  const traits = followTraits(model, signal);
  const kernel = new Kernel(model, connection, signal);
  const runs = computed(() => traits.status.value.runs);
  const selections = new Signal(0);
  return {
    traits,
    kernel,
    isConnected: connection.isConnected,
    hooks: createHookBoard(traits.hooks, runs, kernel, connection.isConnected, signal),
    scheme: followTheme(root, signal),
    isNarrow: new Signal(false),
    openDrawer: new Signal<Drawer | null>(null),
    hookFilter: new Signal(EVERY_HOOK),
    hits: new Signal<readonly HitWire[]>([]),
    isHelpOpen: new Signal(false),
    isInspecting: new Signal(false),
    selections,
    select(nodeId) {
      selections.value = selections.peek() + 1;
      if (model.get("selected") === nodeId) return;
      model.set("selected", nodeId);
      connection.attempt(() => model.save_changes());
    },
    colourBy(by) {
      model.set("colour_by", by);
      connection.attempt(() => model.save_changes());
    },
  };
}

/** The selected node or unfolded container, null if nothing is selected or it is folded away. */
export function findSelected({ traits }: Context): NodeWire | GroupWire | null {
  const { nodes, groups } = traits.graph.value;
  const id = traits.selected.value;
  return nodes.find((node) => node.id === id) ?? groups.find((group) => group.id === id) ?? null;
}

const MODULE = "module:";

/** Path of the selected module, which may be folded away; null where something else or nothing is selected. */
export function selectedPath({ traits }: Context): string | null {
  const id = traits.selected.value;
  return id.startsWith(MODULE) ? id.slice(MODULE.length) : null;
}

/** The id of the container around a module, empty text at the top. */
export function enclosingId(moduleId: string): string {
  const end = moduleId.lastIndexOf(".");
  return moduleId.startsWith(MODULE) && end > 0 ? moduleId.slice(0, end) : "";
}
