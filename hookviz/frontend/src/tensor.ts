/** One tensor in numbers: statistics and histogram, or the reason why there are none. */

import { Signal } from "@preact/signals-core";
import { button, html } from "./element";
import { isGradientEntry } from "./entries";
import { type CountScale, histogramPicture, sampleNote } from "./histogram";
import type { Inspection } from "./inspection";
import { follow } from "./lifetime";
import { statisticsTable } from "./statistics";
import type { EntryWire } from "./wire";

export function mountTensor(el: HTMLElement, inspection: Inspection, signal: AbortSignal): void {
  const statistics = html("div");
  const distribution = html("div");
  el.append(statistics, distribution);
  mountDistribution(distribution, inspection, signal);
  follow(signal, () => {
    const entry = inspection.entry.value;
    statistics.replaceChildren(...(entry === null ? [reason("Nothing was captured here.")] : tensorParts(entry)));
    el.toggleAttribute("data-gradient", entry !== null && isGradientEntry(entry));
  });
}

function tensorParts({ summary, note }: EntryWire): Node[] {
  if (summary === null) return [reason(note || "There is no tensor here.")];
  const table = statisticsTable(summary);
  return summary.note === "" ? [table] : [table, reason(summary.note)];
}

/** The heading stays while values come and go, so that its button keeps the focus. */
function mountDistribution(el: HTMLElement, inspection: Inspection, signal: AbortSignal): void {
  const scale = new Signal<CountScale>("linear");
  const note = html("small", { class: "hv-muted" });
  const log = button("log", { class: "hv-log", "aria-label": "log scale of counts", title: "Logarithmic counts" });
  const picture = html("div");
  el.append(html("h4", { class: "hv-section" }, "Distribution", note, log), picture);
  follow(signal, () => {
    const histogram = inspection.entry.value?.summary?.histogram ?? null;
    el.hidden = histogram === null;
    if (histogram === null) return;
    note.textContent = sampleNote(histogram);
    log.setAttribute("aria-pressed", String(scale.value === "log"));
    picture.replaceChildren(histogramPicture(histogram, scale.value));
  });
  log.addEventListener(
    "click",
    () => {
      scale.value = scale.peek() === "log" ? "linear" : "log";
    },
    { signal },
  );
}

function reason(text: string): HTMLElement {
  return html("p", { class: "hv-reason" }, text);
}
