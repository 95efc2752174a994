/** What is said of the difference of two values. */

import type { CompareWire, DifferenceWire, PlaceWire, Statistic } from "./compare-wire";
import { formatCount, formatNumber, formatShape } from "./numbers";
import type { InspectionWire } from "./wire";

const STATISTICS: readonly [statistic: Statistic, name: string][] = [
  ["mean", "mean"],
  ["std", "std"],
  ["min", "min"],
  ["max", "max"],
  ["norm", "‖·‖₂"],
  ["zeros", "zeros"],
  ["nans", "NaN"],
  ["infs", "Inf"],
];

/** Shape and type of both, where they are the same: `32 × 16 · float32`; else empty. */
export function commonKind({ a_summary, b_summary }: CompareWire): string {
  const [a, b] = [a_summary, b_summary].map(({ shape, dtype }) => `${formatShape(shape)} · ${dtype}`);
  return a === b ? (a ?? "") : "";
}

/** Name, A, B and A − B; what both have in common is left out, and counts that are zero on both sides. */
export function comparedRows({ a_summary, b_summary, deltas }: CompareWire): [string, string, string, string][] {
  const kinds: [string, string, string, string][] = [];
  const [shapeA, shapeB] = [formatShape(a_summary.shape), formatShape(b_summary.shape)];
  if (shapeA !== shapeB) kinds.push(["shape", shapeA, shapeB, ""]);
  if (a_summary.dtype !== b_summary.dtype) kinds.push(["dtype", a_summary.dtype, b_summary.dtype, ""]);
  const numbers = STATISTICS.filter(
    ([name]) => !(name === "nans" || name === "infs") || (a_summary[name] ?? 0) + (b_summary[name] ?? 0) > 0,
  ).map(([statistic, name]): [string, string, string, string] => [
    name,
    formatNumber(a_summary[statistic]),
    formatNumber(b_summary[statistic]),
    formatNumber(deltas[statistic]),
  ]);
  return [...kinds, ...numbers];
}

/** The difference value by value, as names and what is found. */
export function differenceRows(found: DifferenceWire): [name: string, value: string][] {
  const { numel, differing, not_finite, largest, index, at_a, at_b, mean, relative, cosine } = found;
  if (differing === 0) return [["values", `all ${formatCount(numel)} are equal`]];
  const rows: [string, string][] = [["values that differ", `${formatCount(differing)} of ${formatCount(numel)}`]];
  if (index !== null) {
    rows.push(
      ["largest difference", formatNumber(largest)],
      [index.length === 0 ? "there" : `at [${index.join(", ")}]`, `A ${withMinus(at_a)} · B ${withMinus(at_b)}`],
      ["mean difference", formatNumber(mean)],
      ["relative difference", formatNumber(relative)],
      ["cosine similarity", cosine === null ? "–" : typeof cosine === "number" ? cosine.toFixed(6) : cosine],
    );
  }
  if (not_finite > 0) rows.push(["left out", `${formatCount(not_finite)} NaN or Inf in A or B`]);
  return rows;
}

function withMinus(number: string): string {
  return number.replaceAll("-", "−");
}

/** Whether what is shown is just what was pinned: then there is no second value yet. */
export function isPinnedItself(pinned: PlaceWire, shown: InspectionWire, entry: number): boolean {
  return (
    pinned.tab !== "parameters" &&
    pinned.node_id === shown.node_id &&
    pinned.call === shown.call &&
    pinned.tab === shown.tab &&
    pinned.entry === entry &&
    pinned.step === shown.step
  );
}
