/** One tensor that a hook was given: its statistics before and after, and what is different. */

import { html } from "./element";
import type { EffectEntryWire } from "./hook-wire";
import { formatNumber, formatShape } from "./numbers";
import type { SummaryWire } from "./wire";

/** A row of the comparison; `after` is empty where nothing changed. */
export interface Comparison {
  name: string;
  before: string;
  after: string;
}

/** What to compare: the values where they are few, else statistics. */
export function comparisons({ before, after, before_values, after_values }: EffectEntryWire): Comparison[] {
  const rows: Comparison[] = [];
  const add = (name: string, of: (summary: SummaryWire) => string): void => {
    rows.push({ name, before: before === null ? "–" : of(before), after: after === null ? "" : of(after) });
  };
  if (before_values !== "" || after_values !== "")
    rows.push({ name: "values", before: before_values, after: after_values });
  if (before === null && after === null) return rows;
  const shapes = [before, after].flatMap((summary) => (summary === null ? [] : [formatShape(summary.shape)]));
  if (new Set(shapes).size > 1) add("shape", ({ shape }) => formatShape(shape));
  add("mean", ({ mean }) => formatNumber(mean));
  add("std", ({ std }) => formatNumber(std));
  add("min", ({ min }) => formatNumber(min));
  add("max", ({ max }) => formatNumber(max));
  add("‖·‖₂", ({ norm }) => formatNumber(norm));
  if ([before, after].some((summary) => bad(summary) > 0)) {
    add("NaN · Inf", ({ nans, infs }) => `${nans ?? "–"} · ${infs ?? "–"}`);
  }
  return rows;
}

function bad(summary: SummaryWire | null): number {
  return (summary?.nans ?? 0) + (summary?.infs ?? 0);
}

export function effectEntry(entry: EffectEntryWire): HTMLElement {
  const isChanged = entry.after !== null || entry.after_values !== "";
  const rows = comparisons(entry);
  const shape = entry.before ?? entry.after;
  const title = html(
    "div",
    { class: "hv-effect-title" },
    html("span", { class: "hv-effect-label" }, entry.label),
    shape === null ? null : html("span", { class: "hv-muted" }, formatShape(shape.shape)),
    html("span", { class: "hv-effect-difference" }, isChanged ? entry.difference : "unchanged"),
  );
  return html(
    "div",
    { class: "hv-effect-entry", "data-changed": isChanged },
    title,
    isChanged && rows.length > 0 && comparisonTable(rows),
    !isChanged && entry.before_values !== "" && html("div", { class: "hv-mono" }, entry.before_values),
    entry.note !== "" && html("div", { class: "hv-reason" }, entry.note),
  );
}

function comparisonTable(rows: readonly Comparison[]): HTMLTableElement {
  const head = html(
    "tr",
    {},
    html("td"),
    html("th", { scope: "col" }, "before"),
    html("th", { scope: "col" }, "after"),
  );
  const body = rows.map(({ name, before, after }) =>
    html(
      "tr",
      {},
      html("th", { scope: "row", "aria-label": name === "‖·‖₂" ? "norm" : null }, name),
      html("td", {}, before),
      html("td", { class: before === after ? null : "hv-after" }, after),
    ),
  );
  return html("table", { class: "hv-comparison" }, html("thead", {}, head), html("tbody", {}, ...body));
}
