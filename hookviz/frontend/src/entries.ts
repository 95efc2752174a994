/** Chooses among the tensors of a tab: the parts of an output, the parameters with their gradients. */

import { button, html } from "./element";
import type { Inspection } from "./inspection";
import { follow } from "./lifetime";
import { formatMeanStd, formatShape } from "./numbers";
import type { EntryWire } from "./wire";

export function mountEntries(el: HTMLElement, inspection: Inspection, signal: AbortSignal): void {
  follow(signal, () => {
    const entries = inspection.shown.value?.entries ?? [];
    const chosen = inspection.entryIndex.value;
    const focused = [...el.children].indexOf(document.activeElement ?? el);
    el.hidden = entries.length < 2;
    el.replaceChildren(...entries.map((entry, i) => entryButton(entry, i, i === chosen)));
    const again = el.children[focused];
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  });
  el.addEventListener(
    "click",
    (event) => {
      const row = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-entry]") : null;
      if (row !== null) inspection.chooseEntry(Number(row.dataset.entry));
    },
    { signal },
  );
}

/** Gradients of parameters stand under their parameter: `weight.grad` after `weight`. */
export function isGradientEntry({ label }: EntryWire): boolean {
  return label.endsWith(".grad");
}

function entryButton(entry: EntryWire, index: number, isChosen: boolean): HTMLButtonElement {
  const { label, summary, note } = entry;
  const row = button("", {
    class: "hv-entry",
    "data-entry": index,
    "data-tone": isGradientEntry(entry) ? "gradient" : "value",
    "aria-pressed": String(isChosen),
  });
  row.append(html("span", { class: "hv-entry-label" }, label));
  if (summary === null) row.append(html("span", { class: "hv-entry-note hv-muted", title: note }, note));
  else {
    row.append(
      html("span", { class: "hv-muted" }, formatShape(summary.shape)),
      html("span", { class: "hv-entry-value" }, formatMeanStd(summary.mean, summary.std)),
    );
  }
  return row;
}
