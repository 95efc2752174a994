/** Chooses how a tensor is shown: map, grid, line or table; in which colours; which part of complex numbers. */

import type { ReadonlySignal, Signal } from "@preact/signals-core";
import { button, html } from "./element";
import { follow } from "./lifetime";
import { axisLabel } from "./picture";
import type { Form, Part, PictureWire, Slice } from "./picture-wire";
import { colorAxes, sliceOf, withColors, withForm } from "./slicing";

const NAMES: Record<Form, string> = { matrix: "Map", grid: "Grid", line: "Line", table: "Table" };
const HINTS: Record<Form, string> = {
  matrix: "One slice as a heat map",
  grid: "Slices side by side",
  line: "One row as a curve",
  table: "The numbers themselves",
};
const PARTS: readonly Part[] = ["magnitude", "real", "imag", "angle"];

export function mountFormBar(
  el: HTMLElement,
  shown: ReadonlySignal<PictureWire | null>,
  slice: Signal<Slice>,
  signal: AbortSignal,
): void {
  const forms = html("div", { class: "hv-forms", role: "group", "aria-label": "How the values are shown" });
  const colors = html("select", { "data-choice": "colors", "aria-label": "Red, green and blue" });
  const parts = html(
    "select",
    { "data-choice": "part", "aria-label": "Part of the complex numbers" },
    ...PARTS.map((part) => html("option", { value: part }, part)),
  );
  el.append(forms, colors, parts);
  let drawn = "";
  follow(signal, () => {
    const wire = shown.value;
    el.hidden = wire === null || (wire.forms.length < 2 && wire.part === null);
    if (wire === null) return;
    const axes = wire.form === "matrix" || wire.form === "grid" ? colorAxes(wire) : [];
    // Drawn anew only where there are other choices, so that the focus stays.
    const key = [...wire.forms, "|", ...axes, ...wire.axis_names].join();
    if (key !== drawn) {
      drawn = key;
      forms.replaceChildren(
        ...wire.forms.map((form) => button(NAMES[form], { "data-form": form, title: HINTS[form] })),
      );
      colors.replaceChildren(
        html("option", { value: "" }, "one colour"),
        ...axes.map((axis) => html("option", { value: axis }, `RGB: ${axisLabel(wire, axis)}`)),
      );
    }
    for (const each of forms.children) {
      if (each instanceof HTMLElement) each.setAttribute("aria-pressed", String(each.dataset.form === wire.form));
    }
    forms.hidden = wire.forms.length < 2;
    colors.hidden = axes.length === 0;
    colors.value = String(wire.color_axis ?? "");
    parts.hidden = wire.part === null || wire.movable !== undefined;
    parts.value = wire.part ?? "";
  });

  forms.addEventListener(
    "click",
    ({ target }) => {
      const form = target instanceof HTMLElement ? target.dataset.form : undefined;
      const wire = shown.peek();
      if (form !== undefined && wire !== null) slice.value = withForm(wire, form as Form);
    },
    { signal },
  );
  colors.addEventListener(
    "change",
    () => {
      const wire = shown.peek();
      if (wire !== null) slice.value = withColors(wire, colors.value === "" ? null : Number(colors.value));
    },
    { signal },
  );
  parts.addEventListener(
    "change",
    () => {
      const wire = shown.peek();
      if (wire !== null) slice.value = { ...sliceOf(wire), part: parts.value as Part };
    },
    { signal },
  );
}
