/** What the inspected call took: time and memory, in one line of the header. */

import { html } from "./element";
import type { Inspection } from "./inspection";
import { follow } from "./lifetime";
import type { CostLineWire } from "./wire";

export function mountCostLine(el: HTMLElement, inspection: Inspection, signal: AbortSignal): void {
  follow(signal, () => {
    const costs = inspection.shown.value?.costs ?? [];
    el.hidden = costs.length === 0;
    el.replaceChildren(...costs.map(costOf));
  });
}

const UNKNOWN = "–";

/** What it is, or why it is not known, is said under the pointer; the latter to who listens, too. */
function costOf({ label, text, note }: CostLineWire): HTMLElement {
  const why = text === UNKNOWN && html("span", { class: "hv-unseen" }, note);
  return html("span", { title: note }, `${label} `, html("b", {}, text), why);
}
