/** The same slice of A, of B and of A − B as heat maps that are read together. */

import { computed, type ReadonlySignal, Signal } from "@preact/signals-core";
import { mountBadNotice } from "./bad-notice";
import type { CompareWire } from "./compare-wire";
import type { Context } from "./context";
import { html } from "./element";
import { mountHeatMap } from "./heat-map";
import type { Cell, Picture } from "./picture";
import { type ValueRange, valueRange } from "./value-range";

const TITLES = ["A", "B", "A − B"] as const;

export function mountComparedPictures(
  el: HTMLElement,
  pictures: ReadonlySignal<readonly Picture[]>,
  found: ReadonlySignal<CompareWire | null>,
  goTo: (index: number[]) => void,
  { scheme }: Context,
  signal: AbortSignal,
): void {
  const pointed = new Signal<Cell | null>(null);
  const ofBoth = computed(() => sharedRange(pictures.value.slice(0, 2)));
  const ofDifference = computed(() => zeroCentred(pictures.value.slice(2)));
  TITLES.forEach((title, i) => {
    const box = html("div", { class: "hv-heat-box" });
    const bad = html("div", { class: "hv-bad" });
    el.append(html("figure", { class: "hv-compare-map" }, html("figcaption", {}, title), box, bad));
    const picture = computed(() => pictures.value[i] ?? null);
    const dtype = computed(() => (i === 1 ? found.value?.b_summary : found.value?.a_summary)?.dtype ?? "");
    mountHeatMap(
      box,
      picture,
      { scheme, dtype, chooseTile: () => {}, range: i < 2 ? ofBoth : ofDifference, pointed },
      signal,
    );
    // What is not finite in the difference is not finite in A or in B.
    bad.hidden = true;
    if (i < 2) mountBadNotice(bad, picture, goTo, signal);
  });
}

/** One scale for A and B, so that one colour is one value. */
export function sharedRange(pictures: readonly Picture[]): ValueRange | null {
  if (pictures.length === 0) return null;
  return valueRange(
    pictures.flatMap(({ values }) => [...values]),
    1,
  );
}

/** A difference has zero in the middle, even where it goes one way only. */
export function zeroCentred([picture]: readonly Picture[]): ValueRange | null {
  if (picture === undefined) return null;
  const { low, high, clipped } = valueRange(picture.values, 1);
  const reach = Math.max(Math.abs(low), Math.abs(high)) || 1;
  return { low: -reach, high: reach, isSigned: true, clipped };
}
