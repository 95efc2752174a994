/** The distributions of two tensors over each other, on one scale. */

import { svg } from "./element";
import { zeroPosition } from "./histogram";
import { formatNumber } from "./numbers";
import type { HistogramWire } from "./wire";

const WIDTH = 300;
const HEIGHT = 60;
const LABELS = 14;
/** A tensor of one value is a line of this width. */
const SPIKE = 2;

/** The range of both; widened where all is one value. */
export function commonRange(histograms: readonly HistogramWire[]): [low: number, high: number] {
  const low = Math.min(...histograms.map((each) => each.low));
  const high = Math.max(...histograms.map((each) => each.high));
  if (high > low) return [low, high];
  const room = Math.abs(low) || 1;
  return [low - room, high + room];
}

/** Shares of the values per width, so that samples of different sizes and bins of different widths can be compared. */
export function densities({ low, high, counts, sampled }: HistogramWire, [from, to]: [number, number]): number[] {
  const width = (high - low) / counts.length || ((to - from) * SPIKE) / WIDTH;
  return counts.map((count) => count / Math.max(sampled, 1) / (width / (to - from)));
}

/** The upper edge of a histogram in a box, where `most` reaches to its top. */
export function outline(
  histogram: HistogramWire,
  range: [number, number],
  most: number,
  width: number,
  height: number,
): string {
  const [from, to] = range;
  const { low, high, counts } = histogram;
  const bin = (high - low) / counts.length || ((to - from) * SPIKE) / width;
  const start = high > low ? low : low - bin / 2;
  const x = (value: number) => (((value - from) / (to - from)) * width).toFixed(1);
  const steps = densities(histogram, range).map((density, i) => {
    const y = (height - Math.min(1, density / most) * height).toFixed(1);
    return `V${y}H${x(start + (i + 1) * bin)}`;
  });
  return `M${x(start)} ${height}${steps.join("")}V${height}`;
}

export function overlaidHistograms(a: HistogramWire | null, b: HistogramWire | null): SVGSVGElement | null {
  const both = [a, b].filter((each) => each !== null);
  if (both.length === 0) return null;
  const range = commonRange(both);
  const highest = both.map((each) => Math.max(...densities(each, range)));
  // One that is very narrow would flatten the other to nothing.
  const most = highest.length === 2 ? Math.min(Math.max(...highest), 4 * Math.min(...highest)) : Math.max(...highest);
  const [low, high] = range;
  const zero = zeroPosition(low, high);
  const path = (histogram: HistogramWire | null, side: "a" | "b") =>
    histogram === null
      ? null
      : svg("path", { class: "hv-outline", "data-side": side, d: outline(histogram, range, most, WIDTH, HEIGHT - 4) });
  const label = (x: number, anchor: string, text: string) =>
    svg("text", { x, y: HEIGHT + LABELS - 2, "text-anchor": anchor }, text);
  return svg(
    "svg",
    {
      class: "hv-histogram hv-overlaid",
      viewBox: `0 0 ${WIDTH} ${HEIGHT + LABELS}`,
      role: "img",
      "aria-label": `Histograms of A and B from ${formatNumber(low)} to ${formatNumber(high)}`,
    },
    svg("g", { transform: "translate(0 4)" }, path(a, "a"), path(b, "b")),
    svg("line", { class: "hv-axis", x1: 0, y1: HEIGHT, x2: WIDTH, y2: HEIGHT }),
    label(0, "start", formatNumber(low)),
    zero === null ? null : label(zero * WIDTH, "middle", "0"),
    label(WIDTH, "end", formatNumber(high)),
  );
}
