/** The values of the chosen tensor: as heat map, grid, curve or table, with choosers for what of it is shown. */

import { computed, type ReadonlySignal, Signal } from "@preact/signals-core";
import { mountAxes } from "./axes";
import { mountBadNotice } from "./bad-notice";
import type { Context } from "./context";
import { html } from "./element";
import { mountFormBar } from "./form-bar";
import { mountHeatMap } from "./heat-map";
import type { Inspection } from "./inspection";
import { follow } from "./lifetime";
import { mountLinePlot } from "./line-plot";
import { type Picture, pictureOf } from "./picture";
import type { Form, Slice } from "./picture-wire";
import { sliceOf, withTile } from "./slicing";
import { mountValueTable } from "./value-table";
import { sliceNote } from "./value-text";
import type { EntryWire, InspectionWire } from "./wire";

/** Gives the picture that is shown, for what stands beside it. */
export function mountValues(
  el: HTMLElement,
  context: Context,
  inspection: Inspection,
  signal: AbortSignal,
): ReadonlySignal<Picture | null> {
  const picture = new Signal<Picture | null>(null);
  /** What the user chose; empty where Python is to choose. */
  const slice = new Signal<Slice>({});
  /** Why there is no picture, where Python says so. */
  const problem = new Signal("");
  const note = html("small", { class: "hv-muted" });
  const bar = html("div", { class: "hv-form-bar" });
  const axes = html("div", { class: "hv-axes" });
  const heat = html("div", { class: "hv-heat-box" });
  const line = html("div", { class: "hv-line-box" });
  const table = html("div", { class: "hv-table-box" });
  const bad = html("div", { class: "hv-bad" });
  const missing = html("p", { class: "hv-reason" });
  el.append(html("h4", { class: "hv-section" }, "Values", note), bar, axes, heat, line, table, bad, missing);
  const wire = computed(() => picture.value?.wire ?? null);
  const dtype = computed(() => inspection.entry.value?.summary?.dtype ?? "");
  const inForm = (...forms: Form[]) =>
    computed(() => (picture.value !== null && forms.includes(picture.value.wire.form) ? picture.value : null));
  mountFormBar(bar, wire, slice, signal);
  mountAxes(axes, wire, slice, signal);
  const chooseTile = (tile: number) => {
    const shown = wire.peek();
    if (shown !== null) slice.value = withTile(shown, tile);
  };
  mountHeatMap(heat, inForm("matrix", "grid"), { scheme: context.scheme, dtype, chooseTile }, signal);
  mountLinePlot(line, inForm("line"), dtype, signal);
  mountValueTable(table, inForm("table"), dtype, signal);
  const goTo = (index: number[]) => {
    const shown = wire.peek();
    if (shown !== null) slice.value = { ...sliceOf(shown), index };
  };
  mountBadNotice(bad, picture, goTo, signal);

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
      problem.value = "";
    }
    if (isDrawable) void ask(shown, inspection.entryIndex.value, slice.value);
  });
  const ask = async (shown: InspectionWire, entry: number, wanted: Slice): Promise<void> => {
    const { node_id, call, tab } = shown;
    const answer = await context.kernel.request(
      { command: "picture", node_id, call, tab, entry, ...wanted },
      "picture",
      (text) => {
        problem.value = text;
      },
    );
    if (answer === null || signal.aborted) return;
    problem.value = "";
    picture.value = pictureOf(answer.reply, answer.buffers);
  };

  follow(signal, () => {
    const entry = inspection.entry.value;
    el.hidden = entry === null || entry.summary === null;
    missing.textContent = missingText(entry) || problem.value;
    missing.hidden = missing.textContent === "";
    note.textContent = wire.value === null ? "" : sliceNote(wire.value);
  });
  return picture;
}

function canBeDrawn({ kept, summary }: EntryWire): boolean {
  return kept && summary !== null && summary.numel > 0;
}

/** Of another tensor, other axes are looked at; of the same tensor in another run, the same ones. */
function tensorKey({ node_id, tab }: InspectionWire, entry: number, { label, summary }: EntryWire): string {
  return [node_id, tab, entry, label, ...(summary?.shape ?? [])].join("|");
}

function missingText(entry: EntryWire | null): string {
  if (entry === null || entry.summary === null) return "";
  if (entry.kept) return entry.summary.numel === 0 ? "This tensor has no elements." : "";
  return entry.note || "The values were not kept.";
}
