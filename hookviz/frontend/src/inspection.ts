/** What the inspector asks for and shows: kept while the selection, the call or the run changes. */

import { computed, type ReadonlySignal, Signal } from "@preact/signals-core";
import { type Context, findSelected, selectedPath } from "./context";
import { follow, followChanges, perMicrotask, throttle } from "./lifetime";
import type { EntryWire, InspectionWire, Tab } from "./wire";

export interface Inspection {
  /** The newest answer for the selected node; null before it came or where nothing is selected. */
  readonly shown: ReadonlySignal<InspectionWire | null>;
  readonly entry: ReadonlySignal<EntryWire | null>;
  readonly entryIndex: ReadonlySignal<number>;
  /** Whether the module's hooks are shown in the place of what flowed. */
  readonly isHooks: ReadonlySignal<boolean>;
  /** Whether its past runs are. */
  readonly isHistory: ReadonlySignal<boolean>;
  /** Whether the module has past runs to show; of a recording there is the last run alone. */
  readonly hasHistory: ReadonlySignal<boolean>;
  chooseTab(tab: Tab | "hooks" | "history"): void;
  chooseCall(call: number): void;
  chooseEntry(index: number): void;
}

/** Of several calls the last one, as on the card: beyond the last of any run, where Python gives the last there is. */
export const LAST_CALL = Number.MAX_SAFE_INTEGER;

/** Values of a running loop are looked at twice a second: an inspection may cost a histogram. */
const REFRESH_MS = 500;

export function createInspection(context: Context, signal: AbortSignal): Inspection {
  const { traits, kernel } = context;
  const shown = new Signal<InspectionWire | null>(null);
  const call = new Signal(LAST_CALL);
  /** What the user looks at; it stays chosen from node to node, where the node has such a tab. */
  const tab = new Signal<Tab>("output");
  /** What is shown of a module in the place of what flowed. */
  const wanted = new Signal<"hooks" | "history" | null>(null);
  const entryIndex = new Signal(0);

  /** A module may be folded away and still be looked into; an operation that the picture lost may not. */
  const isThere = computed(() => selectedPath(context) !== null || findSelected(context) !== null);

  const ask = async (): Promise<void> => {
    const node_id = traits.selected.peek();
    if (!isThere.peek()) {
      shown.value = null;
      return;
    }
    // Without a kernel the last answer stays; that there is none is said elsewhere.
    if (!context.isConnected.peek()) return;
    const answer = await kernel.request({ command: "inspect", node_id, call: call.peek(), tab: tab.peek() }, "inspect");
    if (answer === null || signal.aborted) return;
    shown.value = answer.reply;
    if (entryIndex.peek() >= answer.reply.entries.length) entryIndex.value = 0;
  };

  let lastSelected = "";
  follow(signal, () => {
    const selected = traits.selected.value;
    if (selected !== lastSelected) {
      lastSelected = selected;
      call.value = LAST_CALL;
      entryIndex.value = 0;
      shown.value = null;
    }
  });
  const hasHistory = computed(() => selectedPath(context) !== null && traits.status.value.state !== "recorded");
  const refresh = throttle(signal, REFRESH_MS, () => void ask());
  const askNow = perMicrotask(signal, () => void ask());
  follow(signal, () => {
    // A choice of the user is answered at once.
    void [traits.selected.value, isThere.value, call.value, tab.value, context.isConnected.value];
    askNow();
  });
  const step = computed(() => traits.status.value.step);
  followChanges(signal, () => [step.value, traits.node_data.value, traits.switches.value], refresh);

  return {
    shown,
    entryIndex,
    entry: computed(() => shown.value?.entries[entryIndex.value] ?? null),
    // Only modules have hooks; the choice stays for the next of them.
    isHooks: computed(() => wanted.value === "hooks" && selectedPath(context) !== null),
    isHistory: computed(() => wanted.value === "history" && hasHistory.value),
    hasHistory,
    chooseTab(choice) {
      wanted.value = choice === "hooks" || choice === "history" ? choice : null;
      if (choice === "hooks" || choice === "history") return;
      entryIndex.value = 0;
      tab.value = choice;
    },
    chooseCall(wanted) {
      call.value = wanted;
    },
    chooseEntry(index) {
      entryIndex.value = index;
    },
  };
}
