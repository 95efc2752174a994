/** A 2-d slice of a tensor as coloured cells; the value of the pointed cell is read out. */

import { type ReadonlySignal, Signal } from "@preact/signals-core";
import { floats } from "./buffers";
import type { Context } from "./context";
import { html } from "./element";
import { type HeatPalette, heatPixels, parseHexColor, type Rgb } from "./heat-colors";
import { cellAt, cellName, heatMapSize, moveCell } from "./heat-geometry";
import { follow, onResize } from "./lifetime";
import { formatNumber } from "./numbers";
import type { PictureWire } from "./wire";

export interface HeatPicture {
  wire: PictureWire;
  values: Float32Array;
}

export function heatPicture(wire: PictureWire, buffers: DataView[]): HeatPicture | null {
  const [buffer] = buffers;
  return buffer === undefined ? null : { wire, values: floats(buffer) };
}

export function mountHeatMap(
  el: HTMLElement,
  picture: ReadonlySignal<HeatPicture | null>,
  scheme: Context["scheme"],
  signal: AbortSignal,
): void {
  const canvas = html("canvas", { class: "hv-heat", tabindex: 0, role: "img" });
  const pointed = new Signal<number | null>(null);
  const reading = html("output", { class: "hv-reading" });
  const legend = html("div", { class: "hv-legend" });
  el.append(canvas, html("div", { class: "hv-heat-foot" }, legend, reading));
  const width = new Signal(0);
  onResize(signal, el, () => {
    width.value = el.clientWidth;
  });

  follow(signal, () => {
    void scheme.value;
    const shown = picture.value;
    if (shown !== null) draw(canvas, shown, readPalette(canvas));
  });
  follow(signal, () => {
    const shown = picture.value;
    el.hidden = shown === null;
    if (shown === null) return;
    canvas.setAttribute("aria-label", pictureName(shown.wire));
    legend.replaceChildren(...legendParts(shown));
  });
  follow(signal, () => {
    const shown = picture.value;
    if (shown === null || width.value === 0) return;
    const size = heatMapSize(shown.wire.rows, shown.wire.columns, width.value);
    canvas.style.width = `${size.width}px`;
    canvas.style.height = `${size.height}px`;
  });
  follow(signal, () => {
    reading.textContent = readingText(picture.value, pointed.value);
  });

  canvas.addEventListener(
    "pointermove",
    (event) => {
      const shown = picture.peek();
      if (shown === null) return;
      const { rows, columns } = shown.wire;
      pointed.value = cellAt(event.offsetX / canvas.clientWidth, event.offsetY / canvas.clientHeight, rows, columns);
    },
    { signal },
  );
  canvas.addEventListener("pointerleave", () => (pointed.value = null), { signal });
  canvas.addEventListener("blur", () => (pointed.value = null), { signal });
  canvas.addEventListener(
    "keydown",
    (event) => {
      const shown = picture.peek();
      const moved = shown === null ? null : moveCell(pointed.peek(), event.key, shown.wire.rows, shown.wire.columns);
      if (moved === null) return;
      event.preventDefault();
      pointed.value = moved;
    },
    { signal },
  );
}

function draw(canvas: HTMLCanvasElement, { wire, values }: HeatPicture, palette: HeatPalette): void {
  canvas.width = wire.columns;
  canvas.height = wire.rows;
  const context = canvas.getContext("2d");
  if (context === null || values.length === 0) return;
  const pixels = heatPixels(values, wire.low, wire.high, palette);
  context.putImageData(new ImageData(pixels, wire.columns, wire.rows), 0, 0);
}

/** The style sheet's colours as numbers; a canvas knows every way in which CSS may spell them. */
function readPalette(canvas: HTMLCanvasElement): HeatPalette {
  const style = getComputedStyle(canvas);
  const speller = document.createElement("canvas").getContext("2d");
  const read = (name: string, otherwise: Rgb): Rgb => {
    if (speller === null) return otherwise;
    speller.fillStyle = style.getPropertyValue(name).trim();
    return parseHexColor(speller.fillStyle) ?? otherwise;
  };
  return {
    zero: read("--hv-heat-zero", [255, 255, 255]),
    above: read("--hv-heat-above", [37, 99, 235]),
    below: read("--hv-heat-below", [180, 83, 9]),
    bad: read("--hv-heat-bad", [220, 38, 38]),
  };
}

function pictureName({ rows, columns }: PictureWire): string {
  return `Heat map of ${rows} by ${columns} values; arrow keys read single values`;
}

function legendParts({ wire, values }: HeatPicture): Node[] {
  const parts: Node[] = [
    html("span", {}, formatNumber(wire.low)),
    html("span", { class: "hv-ramp", "aria-hidden": "true" }),
    html("span", {}, formatNumber(wire.high)),
  ];
  if (values.some((value) => !Number.isFinite(value))) {
    parts.push(html("span", { class: "hv-bad-mark", "aria-hidden": "true" }), html("span", {}, "NaN, Inf"));
  }
  return parts;
}

function readingText(shown: HeatPicture | null, cell: number | null): string {
  if (shown === null || cell === null) return "";
  return `${cellName(cell, shown.wire)} = ${formatNumber(shown.values[cell] ?? null)}`;
}
