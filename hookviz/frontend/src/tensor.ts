/** One tensor in numbers: statistics and histogram, or the reason why there are none. */

import { html } from "./element";
import { isGradientEntry } from "./entries";
import { histogramPicture, sampleNote } from "./histogram";
import type { Inspection } from "./inspection";
import { follow } from "./lifetime";
import { statisticsTable } from "./statistics";
import type { EntryWire, HistogramWire } from "./wire";

export function mountTensor(el: HTMLElement, inspection: Inspection, signal: AbortSignal): void {
  follow(signal, () => {
    const entry = inspection.entry.value;
    el.replaceChildren(...(entry === null ? [reason("Nothing was captured here.")] : tensorParts(entry)));
    el.toggleAttribute("data-gradient", entry !== null && isGradientEntry(entry));
  });
}

function tensorParts({ summary, note }: EntryWire): Node[] {
  if (summary === null) return [reason(note || "There is no tensor here.")];
  const parts: Node[] = [statisticsTable(summary)];
  if (summary.note !== "") parts.push(reason(summary.note));
  if (summary.histogram !== null) parts.push(...distribution(summary.histogram));
  return parts;
}

function distribution(histogram: HistogramWire): Node[] {
  const note = sampleNote(histogram);
  const heading = html("h4", { class: "hv-section" }, "Distribution");
  if (note !== "") heading.append(html("small", { class: "hv-muted" }, note));
  return [heading, histogramPicture(histogram)];
}

function reason(text: string): HTMLElement {
  return html("p", { class: "hv-reason" }, text);
}
