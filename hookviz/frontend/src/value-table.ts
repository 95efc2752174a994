/** The numbers themselves, page by page, with a button that copies the page for a spreadsheet. */

import { computed, type ReadonlySignal, Signal } from "@preact/signals-core";
import { copyText } from "./clipboard";
import { button, html } from "./element";
import { follow } from "./lifetime";
import { formatCount, formatNumber } from "./numbers";
import { type Picture, valuesAt } from "./picture";
import type { PictureWire } from "./picture-wire";
import { tableText } from "./table-text";
import { valueText } from "./value-text";

export function mountValueTable(
  el: HTMLElement,
  picture: ReadonlySignal<Picture | null>,
  dtype: ReadonlySignal<string>,
  signal: AbortSignal,
): void {
  const frame = html("div", { class: "hv-table-frame", tabindex: 0, role: "region", "aria-label": "Numbers" });
  const extent = html("span", { class: "hv-muted" });
  const copy = button("Copy");
  const said = html("output", { class: "hv-muted" });
  el.append(html("div", { class: "hv-table-head" }, extent, copy, said), frame);
  const copied = new Signal<Picture | null>(null);

  follow(signal, () => {
    const shown = picture.value;
    el.hidden = shown === null;
    if (shown === null) return;
    const { scrollLeft, scrollTop } = frame;
    frame.replaceChildren(table(shown, dtype.value));
    frame.scrollTo({ left: scrollLeft, top: scrollTop, behavior: "instant" });
    extent.textContent = extentText(shown.wire);
    copy.setAttribute("aria-label", `Copy ${extent.textContent}, separated by tabs`);
  });
  // What was said of another page is not true of this one.
  const isCopied = computed(() => copied.value !== null && copied.value === picture.value);
  follow(signal, () => {
    if (!isCopied.value) said.textContent = "";
  });
  copy.addEventListener(
    "click",
    async () => {
      const shown = picture.peek();
      if (shown === null) return;
      const isDone = await copyText(tableText(shown, dtype.peek()));
      copied.value = shown;
      said.textContent = isDone ? copiedText(shown.wire) : "The browser does not let this page copy.";
    },
    { signal },
  );
}

/** `rows 64 to 127 of 300, columns 0 to 31 of 100`. */
export function extentText({ shape, index, rows, columns, row_axis, column_axis, ...wire }: PictureWire): string {
  const span = (name: string, axis: number, count: number, step: number) => {
    const from = index[axis] ?? 0;
    const size = shape[axis] ?? 1;
    const shown = Math.min(size, from + (count - 1) * step + 1);
    if (from === 0 && shown === size) return `${formatCount(size)} ${name}${size === 1 ? "" : "s"}`;
    return `${name}s ${formatCount(from)} to ${formatCount(shown - 1)} of ${formatCount(size)}`;
  };
  if (row_axis === column_axis) return span("value", row_axis, rows, wire.row_step);
  return `${span("row", row_axis, rows, wire.row_step)}, ${span("column", column_axis, columns, wire.column_step)}`;
}

/** What is on the clipboard, and that it is not all there is. */
export function copiedText(wire: PictureWire): string {
  const { rows, columns, shape } = wire;
  const count = rows * columns;
  const all = shape.reduce((product, size) => product * size, 1);
  const rounded = wire.is_rounded ? ", rounded to three digits" : "";
  if (count === all) return `Copied all ${formatCount(all)} numbers${rounded}.`;
  return `Copied ${formatCount(count)} of the tensor's ${formatCount(all)} numbers${rounded}.`;
}

function table(shown: Picture, dtype: string): HTMLTableElement {
  const { wire } = shown;
  const isVector = wire.row_axis === wire.column_axis;
  const number = (axis: number, at: number, step: number) => String((wire.index[axis] ?? 0) + at * step);
  const head = isVector
    ? []
    : [
        html(
          "tr",
          {},
          html("td"),
          ...range(wire.columns).map((column) =>
            html("th", { scope: "col" }, number(wire.column_axis, column, wire.column_step)),
          ),
        ),
      ];
  const body = range(wire.rows).map((row) =>
    html(
      "tr",
      {},
      html("th", { scope: "row" }, number(wire.row_axis, row, wire.row_step)),
      ...range(wire.columns).map((column) => {
        const [value = Number.NaN] = valuesAt(shown, { tile: 0, row, column });
        const isBad = !Number.isFinite(value);
        const text = dtype === "bool" ? valueText(value, wire, dtype) : formatNumber(value);
        return html("td", { class: isBad ? "hv-tone-trouble" : null, title: valueText(value, wire, dtype) }, text);
      }),
    ),
  );
  return html("table", { class: "hv-table" }, html("thead", {}, ...head), html("tbody", {}, ...body));
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}
