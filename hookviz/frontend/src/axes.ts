/** Chooses which block of a tensor is shown: the axes for rows, columns and tiles, a position on each other axis. */

import type { ReadonlySignal, Signal } from "@preact/signals-core";
import { button, html } from "./element";
import { follow } from "./lifetime";
import { formatCount } from "./numbers";
import { axisLabel, shortAxisLabel } from "./picture";
import type { PictureWire, Slice } from "./picture-wire";
import { type AxisRole, otherAxes, pagedAxes, withAxis, withPosition } from "./slicing";

export function mountAxes(
  el: HTMLElement,
  shown: ReadonlySignal<PictureWire | null>,
  slice: Signal<Slice>,
  signal: AbortSignal,
): void {
  let drawn = "";
  follow(signal, () => {
    const wire = shown.value;
    const rows = wire === null ? [] : [...roleRow(wire), ...otherAxes(wire).map((axis) => positionRow(wire, axis))];
    const pages = wire === null ? [] : pagedAxes(wire).map(([axis, count]) => pageRow(wire, axis, count));
    el.hidden = rows.length + pages.length === 0;
    // The controls are drawn anew only for other axes: a slider must not vanish under the pointer.
    const key = wire === null ? "" : keyOf(wire);
    if (key !== drawn) {
      drawn = key;
      const focused = focusedControl(el);
      el.replaceChildren(...rows, ...pages);
      if (focused !== "") el.querySelector<HTMLElement>(focused)?.focus({ preventScroll: true });
    }
    for (const input of el.querySelectorAll<HTMLInputElement>("input[data-axis]")) {
      if (input !== document.activeElement) input.value = String(wire?.index[Number(input.dataset.axis)] ?? 0);
    }
  });

  el.addEventListener(
    "input",
    ({ target }) => {
      const wire = shown.peek();
      if (wire === null) return;
      if (target instanceof HTMLSelectElement) {
        slice.value = withAxis(wire, target.dataset.role as AxisRole, Number(target.value));
      }
      if (target instanceof HTMLInputElement) moveAlong(target, el, wire, slice);
    },
    { signal },
  );
  el.addEventListener(
    "click",
    ({ target }) => {
      const wire = shown.peek();
      const turn = target instanceof Element ? target.closest<HTMLElement>("[data-page]") : null;
      if (wire === null || turn === null) return;
      slice.value = withPosition(wire, wire.index, Number(turn.dataset.axis), Number(turn.dataset.page));
    },
    { signal },
  );
}

function keyOf(wire: PictureWire): string {
  const { form, row_axis, column_axis, tile_axis, color_axis, shape, axis_names } = wire;
  const pages = pagedAxes(wire).map(([axis]) => wire.index[axis]);
  return [form, row_axis, column_axis, tile_axis, color_axis, ...shape, "|", ...axis_names, "|", ...pages].join();
}

/** Finds the control that has the focus again after it was drawn anew. */
function focusedControl(el: HTMLElement): string {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLElement) || !el.contains(activeElement)) return "";
  const { role, axis, turn } = activeElement.dataset;
  if (role !== undefined) return `[data-role="${role}"]`;
  return turn === undefined ? "" : `[data-axis="${axis}"][data-turn="${turn}"]`;
}

function moveAlong(input: HTMLInputElement, el: HTMLElement, wire: PictureWire, slice: Signal<Slice>): void {
  const axis = Number(input.dataset.axis);
  const moved = withPosition(wire, slice.peek().index ?? wire.index, axis, Number(input.value));
  for (const twin of el.querySelectorAll<HTMLInputElement>(`input[data-axis="${axis}"]`)) {
    if (twin !== input) twin.value = String(moved.index?.[axis] ?? 0);
  }
  slice.value = moved;
}

/** Which axis has which role; nothing where there is no choice. */
function roleRow(wire: PictureWire): HTMLElement[] {
  if (wire.shape.length < 2 || wire.movable !== undefined) return [];
  const roles: [AxisRole, string][] =
    wire.form === "line"
      ? [["column_axis", "along"]]
      : [
          ...(wire.tile_axis === null ? [] : [["tile_axis", "tiles"] as [AxisRole, string]]),
          ["row_axis", "rows"],
          ["column_axis", "columns"],
        ];
  const choosers = roles.map(([role, word]) =>
    html(
      "label",
      {},
      html("span", { class: "hv-muted" }, word),
      html(
        "select",
        { "data-role": role },
        ...wire.shape.map((_, axis) =>
          html("option", { value: axis, selected: axis === wire[role] }, shortAxisLabel(wire, axis)),
        ),
      ),
    ),
  );
  return [html("div", { class: "hv-axis-roles" }, ...choosers)];
}

function positionRow(wire: PictureWire, axis: number): HTMLElement {
  const last = (wire.shape[axis] ?? 1) - 1;
  const label = axisLabel(wire, axis);
  const shared = { "data-axis": axis, min: 0, max: last, step: 1, value: wire.index[axis] ?? 0 };
  return html(
    "div",
    { class: "hv-axis-row" },
    html("span", { class: "hv-axis-name" }, label),
    html("input", { type: "range", "aria-label": `Position on ${label}`, ...shared }),
    html("input", { type: "number", "aria-label": `Position on ${label}, as a number`, ...shared }),
    html("span", { class: "hv-muted" }, `of ${formatCount(last + 1)}`),
  );
}

/** `axis 1 · channel 64 to 127 of 512`, with buttons to the pages before and behind. */
function pageRow(wire: PictureWire, axis: number, count: number): HTMLElement {
  const from = wire.index[axis] ?? 0;
  const size = wire.shape[axis] ?? 0;
  const label = axisLabel(wire, axis);
  const turn = (sign: string, name: string, page: number) =>
    button(sign, {
      class: "hv-quiet",
      "data-axis": axis,
      "data-page": page,
      "data-turn": name,
      "aria-label": `${name} page along ${label}`,
      disabled: page < 0 || page >= size,
    });
  return html(
    "div",
    { class: "hv-axis-row" },
    html("span", { class: "hv-axis-name" }, label),
    turn("‹", "Previous", from - 1),
    html(
      "span",
      { class: "hv-muted" },
      `${formatCount(from)} to ${formatCount(from + count - 1)} of ${formatCount(size)}`,
    ),
    turn("›", "Next", from + count),
  );
}
