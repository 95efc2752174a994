/** The values of the chosen tensor as a heat map, with choosers for what of it is shown. */

import { computed, Signal } from "@preact/signals-core";
import { mountAxes, type Slice } from "./axes";
import type { Context } from "./context";
import { html } from "./element";
import { sliceNote } from "./heat-geometry";
import { type HeatPicture, heatPicture, mountHeatMap } from "./heat-map";
import type { Inspection } from "./inspection";
import { follow } from "./lifetime";
import type { EntryWire, InspectionWire } from "./wire";

export function mountValues(el: HTMLElement, context: Context, inspection: Inspection, signal: AbortSignal): void {
  const picture = new Signal<HeatPicture | null>(null);
  /** What the user chose; empty where Python is to choose. */
  const slice = new Signal<Slice>({});
  const note = html("small", { class: "hv-muted" });
  const axes = html("div", { class: "hv-axes" });
  const heat = html("div", { class: "hv-heat-box" });
  const missing = html("p", { class: "hv-reason" });
  el.append(html("h4", { class: "hv-section" }, "Values", note), axes, heat, missing);
  mountHeatMap(heat, picture, context.scheme, signal);
  const shownSlice = computed(() => picture.value?.wire ?? null);
  mountAxes(axes, shownSlice, slice, signal);
  // Of a recording there is the first slice alone.
  follow(signal, () => axes.toggleAttribute("data-fixed", context.traits.status.value.state === "recorded"));

  let lastTensor = "";
  follow(signal, () => {
    const shown = inspection.shown.value;
    const entry = inspection.entry.value;
    const isDrawable = shown !== null && entry !== null && canBeDrawn(entry);
    const tensor = isDrawable ? tensorKey(shown, inspection.entryIndex.value, entry) : "";
    if (tensor !== lastTensor) {
      lastTensor = tensor;
      slice.value = {};
      picture.value = null;
    }
    if (isDrawable) void ask(shown, inspection.entryIndex.value, slice.value);
  });
  const ask = async (shown: InspectionWire, entry: number, wanted: Slice): Promise<void> => {
    const { node_id, call, tab } = shown;
    const answer = await context.kernel.request(
      { command: "picture", node_id, call, tab, entry, ...wanted },
      "picture",
    );
    if (answer === null || signal.aborted) return;
    picture.value = heatPicture(answer.reply, answer.buffers);
  };

  follow(signal, () => {
    const entry = inspection.entry.value;
    el.hidden = entry === null || entry.summary === null;
    missing.textContent = missingText(entry);
    missing.hidden = missing.textContent === "";
    note.textContent = picture.value === null ? "" : sliceNote(picture.value.wire);
  });
}

function canBeDrawn({ kept, summary }: EntryWire): boolean {
  return kept && summary !== null && summary.numel > 0;
}

/** Of another tensor, other axes are looked at; of the same tensor in another run, the same ones. */
function tensorKey({ node_id, tab }: InspectionWire, entry: number, { label, summary }: EntryWire): string {
  return [node_id, tab, entry, label, ...(summary?.shape ?? [])].join("|");
}

function missingText(entry: EntryWire | null): string {
  if (entry === null || entry.summary === null || entry.kept) return "";
  return entry.note || "The values were not kept.";
}
