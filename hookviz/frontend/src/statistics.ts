/** The table of a tensor's statistics. */

import { html } from "./element";
import { formatCount, formatMeanStd, formatNumber, formatPercent, formatShape } from "./numbers";
import type { SummaryWire } from "./wire";

/** What the table says, row by row; the third text is the tone of the value. */
export function statisticsRows(summary: SummaryWire): [name: string, value: string, tone: "" | "trouble"][] {
  const isBad = (summary.nans ?? 0) + (summary.infs ?? 0) > 0;
  return [
    ["shape", formatShape(summary.shape), ""],
    ["dtype · device", `${summary.dtype} · ${summary.device}`, ""],
    ["mean ± std", formatMeanStd(summary.mean, summary.std), ""],
    ["min · max", `${formatNumber(summary.min)} · ${formatNumber(summary.max)}`, ""],
    [
      "zeros · NaN · Inf",
      `${zeros(summary)} · ${count(summary.nans)} · ${count(summary.infs)}`,
      isBad ? "trouble" : "",
    ],
    ["‖·‖₂", formatNumber(summary.norm), ""],
  ];
}

export function statisticsTable(summary: SummaryWire): HTMLTableElement {
  const rows = statisticsRows(summary).map(([name, value, tone]) =>
    html(
      "tr",
      {},
      html("th", { scope: "row", "aria-label": name === "‖·‖₂" ? "norm" : null }, name),
      html("td", { class: tone === "trouble" ? "hv-tone-trouble" : null }, value),
    ),
  );
  return html("table", { class: "hv-statistics" }, html("tbody", {}, ...rows));
}

function zeros({ zeros: found, numel }: SummaryWire): string {
  if (found === null) return "–";
  return numel === 0 ? "0" : formatPercent(found / numel);
}

function count(found: number | null): string {
  return found === null ? "–" : formatCount(found);
}
