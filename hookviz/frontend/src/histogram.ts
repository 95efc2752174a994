/** The histogram of a tensor, as bars with the ends and zero marked. */

import { svg } from "./element";
import { formatCount, formatNumber } from "./numbers";
import type { HistogramWire } from "./wire";

const WIDTH = 300;
const HEIGHT = 56;
const LABELS = 14;

export interface Bar {
  x: number;
  width: number;
  height: number;
}

/** Whether bars are as high as what they count, or as its logarithm, which shows the few beside the many. */
export type CountScale = "linear" | "log";

/** Bars over the whole width; one that counts anything is at least a pixel high. */
export function histogramBars(counts: readonly number[], width: number, height: number, scale: CountScale): Bar[] {
  // log(1 + n): a single one is seen, and none is nothing.
  const size = (count: number) => (scale === "log" ? Math.log1p(count) : count);
  const most = size(Math.max(...counts, 1));
  const step = width / Math.max(counts.length, 1);
  const gap = Math.min(2, step * 0.15);
  return counts.map((count, i) => ({
    x: i * step + gap / 2,
    width: step - gap,
    height: count === 0 ? 0 : Math.max(1, (size(count) / most) * height),
  }));
}

/** Where zero lies between the ends, from 0 to 1; null where it lies outside or too near to an end to be labelled. */
export function zeroPosition(low: number, high: number): number | null {
  const position = -low / (high - low);
  return position > 0.12 && position < 0.88 ? position : null;
}

/** `sampled 16,384 of 131,072`; empty where all values were counted. */
export function sampleNote({ sampled, of }: HistogramWire): string {
  return sampled < of ? `sampled ${formatCount(sampled)} of ${formatCount(of)}` : "";
}

export function histogramPicture(histogram: HistogramWire, scale: CountScale): SVGSVGElement {
  const { low, high, counts } = histogram;
  const bars = histogramBars(counts, WIDTH, HEIGHT - 4, scale).map(({ x, width, height }) =>
    svg("rect", { class: "hv-bar", x, y: HEIGHT - height, width, height }),
  );
  const zero = zeroPosition(low, high);
  const label = (x: number, anchor: string, text: string) =>
    svg("text", { x, y: HEIGHT + LABELS - 2, "text-anchor": anchor }, text);
  return svg(
    "svg",
    {
      class: "hv-histogram",
      viewBox: `0 0 ${WIDTH} ${HEIGHT + LABELS}`,
      role: "img",
      "aria-label": histogramName(histogram, scale),
    },
    ...bars,
    svg("line", { class: "hv-axis", x1: 0, y1: HEIGHT, x2: WIDTH, y2: HEIGHT }),
    label(0, "start", formatNumber(low)),
    ...(zero === null ? [] : [label(zero * WIDTH, "middle", "0")]),
    label(WIDTH, "end", formatNumber(high)),
  );
}

/** Its ends, and where most values lie. */
function histogramName({ low, high, counts }: HistogramWire, scale: CountScale): string {
  const most = counts.indexOf(Math.max(...counts));
  const width = (high - low) / Math.max(counts.length, 1);
  const peak = `${formatNumber(low + most * width)} to ${formatNumber(low + (most + 1) * width)}`;
  const ends = `Histogram from ${formatNumber(low)} to ${formatNumber(high)}, most values from ${peak}`;
  return scale === "log" ? `${ends}, logarithmic counts` : ends;
}
