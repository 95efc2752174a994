/** A block of a tensor as coloured cells, in one tile or many; the value of the pointed cell is read out. */

import { computed, type ReadonlySignal, Signal } from "@preact/signals-core";
import type { Context } from "./context";
import { html } from "./element";
import { drawTiles } from "./heat-drawing";
import { mountHeatLegend } from "./heat-legend";
import { follow, onResize } from "./lifetime";
import { type Cell, cellName, type Picture } from "./picture";
import { createReadingLine } from "./reading-line";
import { cellAt, cellBox, layoutTiles, moveCell } from "./tile-layout";
import { type Clip, type ValueRange, valueRange } from "./value-range";
import { readingText } from "./value-text";

/** A screen reader then leaves the arrow keys to the map. */
const STAGE = { class: "hv-heat-stage", role: "application", "aria-label": "Values, read by arrow keys" };

const FIRST: Cell = { tile: 0, row: 0, column: 0 };

export interface HeatMapOptions {
  scheme: Context["scheme"];
  /** The tensor's type as PyTorch names it. */
  dtype: ReadonlySignal<string>;
  /** A tile of a grid was chosen; its number counts from the first that is shown. */
  chooseTile(tile: number): void;
  /** The range of the colours, where it is not that of the picture alone. */
  range?: ReadonlySignal<ValueRange | null>;
  /** The cell that is read out, where several pictures show the same one. */
  pointed?: Signal<Cell | null>;
}

export function mountHeatMap(
  el: HTMLElement,
  picture: ReadonlySignal<Picture | null>,
  { scheme, dtype, chooseTile, ...shared }: HeatMapOptions,
  signal: AbortSignal,
): void {
  const canvas = html("canvas", { class: "hv-heat", tabindex: 0, role: "img" });
  const cursor = html("span", { class: "hv-heat-cursor", hidden: true });
  const legend = html("div", { class: "hv-legend" });
  const reading = createReadingLine();
  el.append(reading.el, html("div", STAGE, canvas, cursor), legend);
  const pointed = shared.pointed ?? new Signal<Cell | null>(null);
  const clip = new Signal<Clip>(1);
  const width = new Signal(0);
  onResize(signal, el, () => {
    width.value = el.clientWidth;
  });
  const layout = computed(() => (picture.value === null ? null : layoutTiles(picture.value.wire, width.value)));
  const range =
    shared.range ?? computed(() => (picture.value === null ? null : valueRange(picture.value.values, clip.value)));
  mountHeatLegend(legend, { picture, range, clip: shared.range === undefined ? clip : null }, signal);

  follow(signal, () => {
    void scheme.value;
    const shown = picture.value;
    el.hidden = shown === null;
    if (shown === null || layout.value === null || range.value === null) return;
    canvas.setAttribute("aria-label", pictureName(shown));
    canvas.toggleAttribute("data-grid", shown.wire.tile_axis !== null);
    if (width.value > 0) drawTiles(canvas, shown, layout.value, range.value);
  });
  follow(signal, () => {
    const shown = picture.value;
    // A single number need not be pointed at.
    const cell = shown?.values.length === 1 ? FIRST : pointed.value;
    const isThere = shown !== null && cell !== null && layout.value !== null && isInside(cell, shown);
    cursor.hidden = !isThere || cell === FIRST;
    reading.read(isThere ? readingText(shown, cell, dtype.value) : "", hintText(shown));
    if (!isThere || layout.value === null) return;
    const box = cellBox(layout.value, shown.wire, cell);
    cursor.style.transform = `translate(${box.x}px, ${box.y}px)`;
    cursor.style.width = `${box.width}px`;
    cursor.style.height = `${box.height}px`;
  });

  const at = (event: MouseEvent): Cell | null => {
    const shown = picture.peek();
    const lies = layout.peek();
    return shown === null || lies === null ? null : cellAt(lies, shown.wire, event.offsetX, event.offsetY);
  };
  canvas.addEventListener("pointermove", (event) => (pointed.value = at(event)), { signal });
  for (const gone of ["pointerleave", "blur"]) {
    canvas.addEventListener(gone, () => (pointed.value = null), { signal });
  }
  const enlarge = (cell: Cell | null) => {
    if (cell !== null && picture.peek()?.wire.tile_axis !== null) chooseTile(cell.tile);
  };
  canvas.addEventListener("click", (event) => enlarge(at(event)), { signal });
  canvas.addEventListener(
    "keydown",
    (event) => {
      const shown = picture.peek();
      const lies = layout.peek();
      if (shown === null || lies === null) return;
      if (event.key === "Enter") enlarge(pointed.peek());
      const moved = moveCell(pointed.peek(), event.key, shown.wire, lies);
      if (moved === null) return;
      event.preventDefault();
      pointed.value = moved;
    },
    { signal },
  );
}

function hintText(shown: Picture | null): string {
  if (shown === null) return "";
  return shown.wire.tile_axis === null
    ? "Point at a cell to read it."
    : "Point at a cell to read it; a click enlarges.";
}

function isInside({ tile, row, column }: Cell, { wire }: Picture): boolean {
  return tile < wire.tiles && row < wire.rows && column < wire.columns;
}

function pictureName({ wire }: Picture): string {
  const { tiles, rows, columns, tile_axis } = wire;
  if (tile_axis === null) return `Heat map of ${rows} by ${columns} values; arrow keys read single values`;
  const last = cellName({ tile: tiles - 1, row: rows - 1, column: columns - 1 }, wire);
  return (
    `Grid of ${tiles} heat maps of ${rows} by ${columns} values, up to ${last}; ` +
    "arrow keys read single values, Enter enlarges a map"
  );
}
