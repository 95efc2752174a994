/** Two values side by side with their difference: what was pinned, and what the inspector shows. */

import { computed, type ReadonlySignal, Signal } from "@preact/signals-core";
import { mountAxes } from "./axes";
import { mountCompareBar } from "./compare-bar";
import { overlaidHistograms } from "./compare-histogram";
import { mountComparedPictures } from "./compare-pictures";
import { commonKind, comparedRows, differenceRows, isPinnedItself } from "./compare-text";
import type { CompareWire } from "./compare-wire";
import type { Context } from "./context";
import { html } from "./element";
import type { Inspection } from "./inspection";
import { follow, throttle } from "./lifetime";
import { type Picture, pictureOf } from "./picture";
import type { Slice } from "./picture-wire";
import { sliceOf } from "./slicing";

/** While a model runs: a comparison looks at each value of both. */
const REFRESH_MS = 1000;

/** Mounts the bar and the comparison; gives whether they stand in the place of the single value. */
export function mountCompare(
  bar: HTMLElement,
  el: HTMLElement,
  context: Context,
  inspection: Inspection,
  signal: AbortSignal,
): ReadonlySignal<boolean> {
  const { playback } = context.traits;
  const found = new Signal<CompareWire | null>(null);
  const pictures = new Signal<readonly Picture[]>([]);
  const problem = new Signal("");
  const slice = new Signal<Slice>({});
  const hasSecond = computed(() => {
    const { pinned } = playback.value;
    const shown = inspection.shown.value;
    const isTensor = inspection.entry.value !== null;
    return pinned !== null && shown !== null && isTensor && !isPinnedItself(pinned, shown, inspection.entryIndex.value);
  });
  mountCompareBar(
    bar,
    () => (hasSecond.value ? (found.value?.b.words ?? (problem.value === "" ? "…" : "nothing to compare with")) : ""),
    context,
    inspection,
    signal,
  );

  const ask = async (): Promise<void> => {
    const shown = inspection.shown.peek();
    if (!hasSecond.peek() || shown === null || !context.isConnected.peek()) return;
    const { node_id, call, tab } = shown;
    const place = { node_id, call, tab, entry: inspection.entryIndex.peek() };
    const answer = await context.kernel.request(
      { command: "compare", ...place, ...slice.peek() },
      "compare",
      (text) => {
        problem.value = text;
        found.value = null;
        pictures.value = [];
      },
    );
    if (answer === null || signal.aborted) return;
    problem.value = "";
    found.value = answer.reply;
    pictures.value = answer.reply.pictures.flatMap((wire, i) => pictureOf(wire, answer.buffers.slice(i, i + 1)) ?? []);
  };
  const refresh = throttle(signal, REFRESH_MS, () => void ask());
  let lastPlace = "";
  follow(signal, () => {
    const shown = inspection.shown.value;
    const { pinned } = playback.value;
    void [slice.value, hasSecond.value];
    const place = [pinned?.words, shown?.node_id, shown?.call, shown?.tab, inspection.entryIndex.value].join("|");
    if (place !== lastPlace) {
      lastPlace = place;
      slice.value = {};
      void ask();
    } else refresh();
  });
  followSlice(slice, () => void ask(), signal);

  const table = html("div");
  const difference = html("div");
  const axes = html("div", { class: "hv-axes" });
  const maps = html("div", { class: "hv-compare-maps" });
  const histogram = html("div");
  el.append(table, difference, histogram, axes, maps);
  const wire = computed(() => (hasSecond.value ? (pictures.value[0]?.wire ?? null) : null));
  mountAxes(axes, wire, slice, signal);
  const goTo = (index: number[]) => {
    const shown = wire.peek();
    if (shown !== null) slice.value = { ...sliceOf(shown), index };
  };
  mountComparedPictures(maps, pictures, found, goTo, context, signal);
  follow(signal, () => {
    el.hidden = !hasSecond.value;
    const now = found.value;
    table.replaceChildren(...(now === null ? [reason(problem.value || "Comparing …")] : [statistics(now)]));
    difference.replaceChildren(...(now === null ? [] : differenceParts(now)));
    histogram.replaceChildren(...(now === null ? [] : histogramParts(now)));
    maps.hidden = now === null || now.pictures.length === 0;
  });
  return hasSecond;
}

/** A slice that the user moves is asked for at once. */
function followSlice(slice: ReadonlySignal<Slice>, run: () => void, signal: AbortSignal): void {
  follow(signal, () => {
    if (Object.keys(slice.value).length > 0) run();
  });
}

function statistics(now: CompareWire): HTMLElement {
  const head = ["", "A", "B", "A − B"].map((text, i) =>
    html(i === 0 ? "td" : "th", i === 0 ? {} : { scope: "col" }, text),
  );
  const rows = comparedRows(now).map(([name, ...cells]) =>
    html(
      "tr",
      {},
      html("th", { scope: "row", "aria-label": name === "‖·‖₂" ? "norm" : null }, name),
      ...cells.map((cell) => html("td", {}, cell)),
    ),
  );
  const kind = commonKind(now);
  return html(
    "table",
    { class: "hv-statistics hv-compared" },
    kind === "" ? null : html("caption", { class: "hv-muted" }, kind),
    html("thead", {}, html("tr", {}, ...head)),
    html("tbody", {}, ...rows),
  );
}

function differenceParts({ difference, why }: CompareWire): Node[] {
  const heading = html("h4", { class: "hv-section" }, "Value by value");
  if (difference === null) return [heading, reason(`Not compared value by value: ${why}.`)];
  const rows = differenceRows(difference).map(([name, value]) =>
    html("tr", {}, html("th", { scope: "row", title: MEANING[name] ?? null }, name), html("td", {}, value)),
  );
  const table = html("table", { class: "hv-statistics" }, html("tbody", {}, ...rows));
  return why === "" ? [heading, table] : [heading, table, reason(why)];
}

const MEANING: Readonly<Record<string, string>> = {
  "relative difference": "‖A − B‖ over the larger of ‖A‖ and ‖B‖",
  "cosine similarity": "Of A and B as vectors: 1 is the same direction, 0 none in common",
  "mean difference": "Mean of |A − B|",
};

function histogramParts({ a_summary, b_summary }: CompareWire): Node[] {
  const drawn = overlaidHistograms(a_summary.histogram, b_summary.histogram);
  if (drawn === null) return [];
  const key = html(
    "small",
    { class: "hv-compare-key" },
    html("span", { "data-side": "a" }, "A"),
    html("span", { "data-side": "b" }, "B"),
  );
  return [html("h4", { class: "hv-section" }, "Distributions", key), drawn];
}

function reason(text: string): HTMLElement {
  return html("p", { class: "hv-reason" }, text);
}
