/** Chooses which 2-d slice of a tensor is shown: the axes for rows and columns, a position on each other axis. */

import type { ReadonlySignal, Signal } from "@preact/signals-core";
import { html } from "./element";
import { follow } from "./lifetime";
import type { PictureWire } from "./wire";

/** A slice to ask for; what is absent is chosen by Python. */
export interface Slice {
  row_axis?: number;
  column_axis?: number;
  index?: number[];
}

export function mountAxes(
  el: HTMLElement,
  shown: ReadonlySignal<PictureWire | null>,
  slice: Signal<Slice>,
  signal: AbortSignal,
): void {
  let drawn = "";
  follow(signal, () => {
    const picture = shown.value;
    el.hidden = picture === null || picture.shape.length < 3;
    if (picture === null) {
      drawn = "";
      return;
    }
    // The controls are drawn anew only for other axes: a slider must not vanish under the pointer.
    const key = [picture.row_axis, picture.column_axis, ...picture.shape].join();
    if (key !== drawn) {
      drawn = key;
      el.replaceChildren(axisRow(picture), ...otherAxes(picture).map((axis) => positionRow(picture, axis)));
    }
    for (const input of el.querySelectorAll<HTMLInputElement>("input[data-axis]")) {
      if (input !== document.activeElement) input.value = String(picture.index[Number(input.dataset.axis)] ?? 0);
    }
  });

  el.addEventListener(
    "input",
    (event) => {
      const picture = shown.peek();
      if (picture === null) return;
      if (event.target instanceof HTMLSelectElement) slice.value = chosenAxes(picture, event.target);
      if (event.target instanceof HTMLInputElement) moveAlong(event.target, el, picture, slice);
    },
    { signal },
  );
}

/** Axes that are neither rows nor columns and have more than one position. */
export function otherAxes({ shape, row_axis, column_axis }: PictureWire): number[] {
  return [...shape.keys()].filter((axis) => axis !== row_axis && axis !== column_axis && (shape[axis] ?? 0) > 1);
}

/** Choosing for the rows what the columns have swaps the two. */
export function withAxis(picture: PictureWire, role: "row_axis" | "column_axis", axis: number): Slice {
  const other = role === "row_axis" ? "column_axis" : "row_axis";
  const swapped = picture[other] === axis ? picture[role] : picture[other];
  return role === "row_axis"
    ? { row_axis: axis, column_axis: swapped, index: picture.index }
    : { row_axis: swapped, column_axis: axis, index: picture.index };
}

function chosenAxes(picture: PictureWire, select: HTMLSelectElement): Slice {
  return withAxis(picture, select.dataset.role === "row_axis" ? "row_axis" : "column_axis", Number(select.value));
}

function moveAlong(input: HTMLInputElement, el: HTMLElement, picture: PictureWire, slice: Signal<Slice>): void {
  const axis = Number(input.dataset.axis);
  const last = (picture.shape[axis] ?? 1) - 1;
  const position = Math.min(last, Math.max(0, Math.round(Number(input.value))));
  for (const twin of el.querySelectorAll<HTMLInputElement>(`input[data-axis="${axis}"]`)) {
    if (twin !== input) twin.value = String(position);
  }
  const index = [...(slice.peek().index ?? picture.index)];
  index[axis] = position;
  slice.value = { row_axis: picture.row_axis, column_axis: picture.column_axis, index };
}

function axisRow(picture: PictureWire): HTMLElement {
  const chooser = (role: "row_axis" | "column_axis", word: string) =>
    html(
      "label",
      {},
      `${word} `,
      html(
        "select",
        { "data-role": role },
        ...picture.shape.map((_, axis) =>
          html("option", { value: axis, selected: axis === picture[role] }, `axis ${axis}`),
        ),
      ),
    );
  return html("div", { class: "hv-axis-row" }, chooser("row_axis", "rows"), chooser("column_axis", "columns"));
}

function positionRow({ shape, index }: PictureWire, axis: number): HTMLElement {
  const last = (shape[axis] ?? 1) - 1;
  const shared = { "data-axis": axis, min: 0, max: last, step: 1, value: index[axis] ?? 0 };
  return html(
    "div",
    { class: "hv-axis-row" },
    html("span", { class: "hv-axis-name" }, `axis ${axis}`),
    html("input", { type: "range", "aria-label": `Position on axis ${axis}`, ...shared }),
    html("input", { type: "number", "aria-label": `Position on axis ${axis}, as a number`, ...shared }),
    html("span", { class: "hv-muted" }, `of ${last + 1}`),
  );
}
