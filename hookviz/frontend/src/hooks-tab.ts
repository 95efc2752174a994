/** The inspector's tab of hooks: what hangs on the module, and what each hook did in the shown call. */

import { computed, Signal, untracked } from "@preact/signals-core";
import type { Context } from "./context";
import { selectedPath } from "./context";
import { html } from "./element";
import { stateOf } from "./hook-state";
import type { HooksTabWire } from "./hook-wire";
import type { Inspection } from "./inspection";
import { mountInterveneForm } from "./intervene-form";
import { HOOKS_HINT } from "./learner";
import { follow, followChanges, perMicrotask, throttle } from "./lifetime";
import { drawUnlessPressed } from "./pressed";
import { timeLine } from "./time-line";

const REFRESH_MS = 500;

export function mountHooksTab(el: HTMLElement, context: Context, inspection: Inspection, signal: AbortSignal): void {
  const { hooks: board, traits, kernel } = context;
  const shown = new Signal<HooksTabWire | null>(null);
  const line = html("div");
  const none = html("p", { class: "hv-reason" });
  const form = html("div", { class: "hv-intervene-box" });
  el.append(html("p", { class: "hv-tab-hint hv-muted" }, HOOKS_HINT), none, line, form);
  mountInterveneForm(form, shown, context, signal);

  const ask = async (): Promise<void> => {
    if (!inspection.isHooks.peek() || !context.isConnected.peek()) return;
    const node_id = traits.selected.peek();
    const call = inspection.shown.peek()?.call ?? 0;
    const answer = await kernel.request({ command: "effects", node_id, call }, "effects");
    if (answer !== null && !signal.aborted) shown.value = answer.reply;
  };
  const askNow = perMicrotask(signal, () => void ask());
  const askSoon = throttle(signal, REFRESH_MS, () => void ask());
  let asked = "";
  follow(signal, () => {
    const wanted = [inspection.isHooks.value, traits.selected.value, inspection.shown.value?.call].join("|");
    if (wanted === asked) return;
    if (shown.peek()?.node_id !== traits.selected.value) shown.value = null;
    asked = wanted;
    askNow();
  });
  followChanges(signal, () => [traits.hooks.value, traits.node_data.value, traits.status.value.step], askSoon);

  const hooksHere = computed(() => (shown.value?.hook_ids ?? []).flatMap((id) => board.byId.value.get(id) ?? []));
  const drawLine = drawUnlessPressed(
    line,
    () => {
      const tab = shown.peek();
      const hooks = hooksHere.peek();
      const focused = focusedHook(line);
      line.replaceChildren(...(tab === null || hooks.length === 0 ? [] : [timeLine(tab, hooks, board)]));
      if (focused !== null) switchOf(line, focused)?.focus({ preventScroll: true });
    },
    signal,
  );
  follow(signal, () => {
    const tab = shown.value;
    const hooks = hooksHere.value;
    el.hidden = !inspection.isHooks.value;
    void [board.asked.value, board.refused.value, board.isReachable.value];
    none.hidden = tab === null || hooks.length > 0;
    none.textContent = `No hook hangs on ${selectedPath(context) || "the model itself"}.`;
    untracked(drawLine);
  });
  line.addEventListener(
    "click",
    ({ target }) => {
      const control = target instanceof Element ? target.closest("[data-control=switch]") : null;
      const hook = board.byId.peek().get(control?.closest<HTMLElement>("[data-hook]")?.dataset.hook ?? "");
      if (hook !== undefined) void board.turn([hook], stateOf([hook], board.asked.peek()).is === "off");
    },
    { signal },
  );
}

function focusedHook(line: HTMLElement): string | null {
  const { activeElement } = document;
  return line.contains(activeElement)
    ? (activeElement?.closest<HTMLElement>("[data-hook]")?.dataset.hook ?? null)
    : null;
}

function switchOf(line: HTMLElement, id: string): HTMLElement | undefined {
  const step = [...line.querySelectorAll<HTMLElement>("[data-hook]")].find((each) => each.dataset.hook === id);
  return step?.querySelector<HTMLElement>("[data-control=switch]") ?? undefined;
}
