/** What the colours of a heat map mean: their range, and what is beyond it. */

import type { ReadonlySignal, Signal } from "@preact/signals-core";
import { html } from "./element";
import { follow } from "./lifetime";
import { formatNumber, formatPercent } from "./numbers";
import type { Picture } from "./picture";
import type { PictureWire } from "./picture-wire";
import { CLIPS, type Clip, type ValueRange } from "./value-range";

export interface LegendOptions {
  picture: ReadonlySignal<Picture | null>;
  range: ReadonlySignal<ValueRange | null>;
  /** Null where the range is not to be chosen. */
  clip: Signal<Clip> | null;
}

export function mountHeatLegend(el: HTMLElement, { picture, range, clip }: LegendOptions, signal: AbortSignal): void {
  const low = html("span", { class: "hv-legend-low" });
  const ramp = html("span", { class: "hv-ramp", "aria-hidden": "true" });
  const high = html("span", { class: "hv-legend-high" });
  const chooser = html(
    "select",
    { "aria-label": "Range of the colours", title: "The values beyond have the strongest colour" },
    ...CLIPS.map((each) => html("option", { value: each, selected: each === clip?.peek() }, clipText(each))),
  );
  const beyond = html("span", { class: "hv-legend-beyond" });
  const axes = html("span", { class: "hv-legend-axes" });
  chooser.hidden = clip === null;
  el.append(low, ramp, high, chooser, beyond, axes);
  follow(signal, () => {
    const shown = picture.value;
    const now = range.value;
    if (shown === null || now === null) return;
    low.textContent = formatNumber(now.low);
    high.textContent = formatNumber(now.high);
    ramp.dataset.scale = shown.wire.color_axis !== null ? "channels" : now.isSigned ? "signed" : "positive";
    axes.textContent = axesText(shown.wire);
    beyond.textContent = now.clipped === 0 ? "" : `${formatPercent(now.clipped / shown.values.length)} beyond`;
  });
  chooser.addEventListener(
    "change",
    () => {
      if (clip !== null) clip.value = CLIPS.find((each) => String(each) === chooser.value) ?? 1;
    },
    { signal },
  );
}

function clipText(clip: Clip): string {
  return clip === 0 ? "all values" : `${clip} to ${100 - clip} %`;
}

/** `↓ query → key`, where it is known what rows and columns stand for; that y goes down goes without saying. */
export function axesText({ axis_names, row_axis, column_axis }: PictureWire): string {
  const [rows = "", columns = ""] = [axis_names[row_axis], axis_names[column_axis]];
  const isPlain = rows === "" || columns === "" || columns === "x" || row_axis === column_axis;
  return isPlain ? "" : `↓ ${rows} → ${columns}`;
}
