/** Which two values are compared: A, which was pinned, and B, which is what the inspector shows. */

import type { Place } from "./compare-wire";
import type { Context } from "./context";
import { button, html } from "./element";
import type { Inspection } from "./inspection";
import { isTyping } from "./keyboard-guard";
import { follow } from "./lifetime";

export function mountCompareBar(
  el: HTMLElement,
  b: () => string,
  context: Context,
  inspection: Inspection,
  signal: AbortSignal,
): void {
  const { playback } = context.traits;
  el.setAttribute("role", "group");
  el.setAttribute("aria-label", "Comparison");
  const a = html("span", { class: "hv-compare-place" });
  const shown = html("span", { class: "hv-compare-place" });
  const swap = button("⇄", { "aria-label": "Swap A and B", title: "Swap A and B" });
  const end = button("End", { title: "End the comparison (Esc)" });
  el.append(
    html("div", { class: "hv-compare-side", "data-side": "a" }, html("b", {}, "A"), a),
    html("div", { class: "hv-compare-side", "data-side": "b" }, html("b", {}, "B"), shown),
    html("div", { class: "hv-compare-buttons" }, swap, end),
  );
  swap.addEventListener("click", () => void swapSides(context, inspection), { signal });
  const endIt = () => void context.kernel.request({ command: "pin", ...NOWHERE });
  end.addEventListener("click", endIt, { signal });
  endOnEscape(el, endIt, signal);
  follow(signal, () => {
    const { pinned } = playback.value;
    el.hidden = pinned === null || inspection.isHooks.value || inspection.isHistory.value;
    a.textContent = pinned?.words ?? "";
    const words = b();
    shown.textContent = words || "choose another node, call, tab or step";
    swap.disabled = words === "";
  });
}

/** Wherever the focus is in the view, as long as the bar is to be seen; the next Escape closes the pane. */
function endOnEscape(el: HTMLElement, endIt: () => void, signal: AbortSignal): void {
  const root = el.closest<HTMLElement>(".hookviz") ?? el;
  root.addEventListener(
    "keydown",
    (event) => {
      const isOnSlider = event.target instanceof HTMLInputElement && event.target.type === "range";
      if (event.key !== "Escape" || event.defaultPrevented || (isTyping(event.target) && !isOnSlider)) return;
      if (el.closest("[hidden]") !== null) return;
      event.preventDefault();
      endIt();
    },
    { signal },
  );
}

const NOWHERE: Place = { node_id: "", call: 0, tab: "output", entry: 0 };

/** What the inspector shows, as a command names it. */
export function shownPlace(inspection: Inspection): Place | null {
  const shown = inspection.shown.peek();
  if (shown === null || inspection.entry.peek() === null) return null;
  const { node_id, call, tab } = shown;
  return { node_id, call, tab, entry: inspection.entryIndex.peek() };
}

async function swapSides(context: Context, inspection: Inspection): Promise<void> {
  const place = shownPlace(inspection);
  const answer = place === null ? null : await context.kernel.request({ command: "swap", ...place });
  if (answer === null) return;
  const { node_id, tab, call, entry } = answer.reply;
  context.select(node_id);
  // After the selection, which begins at the first call and entry.
  inspection.chooseTab(tab);
  inspection.chooseCall(call);
  inspection.chooseEntry(entry);
}
