/** Draws tiles of coloured cells onto a canvas; what is no number is marked by shape as well as by colour. */

import { type HeatPalette, readPalette } from "./heat-colors";
import { tilePixels } from "./heat-pixels";
import { type Cell, type Picture, valuesAt } from "./picture";
import { type Box, cellBox, type TileLayout, tileBox } from "./tile-layout";
import type { ValueRange } from "./value-range";

/** In smaller cells a shape could not be told from a dot. */
const MIN_MARKED = 7;
const MIN_DOT = 2;
const LABEL_FONT = "10px system-ui, sans-serif";

export function drawTiles(canvas: HTMLCanvasElement, picture: Picture, layout: TileLayout, range: ValueRange): void {
  const ratio = Math.max(1, window.devicePixelRatio || 1);
  canvas.width = Math.ceil(layout.width * ratio);
  canvas.height = Math.ceil(layout.height * ratio);
  canvas.style.width = `${layout.width}px`;
  canvas.style.height = `${layout.height}px`;
  const context = canvas.getContext("2d");
  const brush = document.createElement("canvas");
  brush.width = picture.wire.columns;
  brush.height = picture.wire.rows;
  const stamp = brush.getContext("2d");
  if (context === null || stamp === null) return;
  context.scale(ratio, ratio);
  context.imageSmoothingEnabled = false;
  const palette = readPalette(canvas);
  for (let tile = 0; tile < picture.wire.tiles; tile += 1) {
    const pixels = tilePixels(picture, tile, range, palette);
    stamp.putImageData(new ImageData(pixels, brush.width, brush.height), 0, 0);
    const { x, y, width, height } = tileBox(layout, tile);
    context.drawImage(brush, x, y, width, height);
  }
  if (layout.label > 0) drawLabels(canvas, context, picture, layout);
  markBad(context, picture, layout, palette);
}

function drawLabels(
  canvas: HTMLCanvasElement,
  context: CanvasRenderingContext2D,
  { wire }: Picture,
  layout: TileLayout,
): void {
  const style = getComputedStyle(canvas);
  context.font = LABEL_FONT;
  context.fillStyle = style.color;
  context.strokeStyle = style.outlineColor;
  context.lineWidth = 1;
  const first = wire.tile_axis === null ? 0 : (wire.index[wire.tile_axis] ?? 0);
  const name = wire.tile_axis === null ? "" : (wire.axis_names[wire.tile_axis] ?? "");
  for (let tile = 0; tile < wire.tiles; tile += 1) {
    const { x, y, width, height } = tileBox(layout, tile);
    const number = String(first + tile);
    const named = name === "" ? number : `${name} ${number}`;
    context.fillText(context.measureText(named).width <= width ? named : number, x, y - 3, width);
    context.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
  }
}

function markBad(context: CanvasRenderingContext2D, picture: Picture, layout: TileLayout, palette: HeatPalette): void {
  const { tiles, rows, columns, nans, infs } = picture.wire;
  if (nans + infs === 0) return;
  for (let tile = 0; tile < tiles; tile += 1) {
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        const cell: Cell = { tile, row, column };
        const bad = valuesAt(picture, cell).find((value) => !Number.isFinite(value));
        if (bad !== undefined) mark(context, cellBox(layout, picture.wire, cell), bad, palette);
      }
    }
  }
}

/** A cross for NaN, a triangle up or down for an infinity. */
function mark(
  context: CanvasRenderingContext2D,
  { x, y, width, height }: Box,
  value: number,
  palette: HeatPalette,
): void {
  const size = Math.min(width, height);
  context.fillStyle = `rgb(${palette.bad.join(" ")})`;
  if (size < MIN_MARKED) {
    context.fillRect(x, y, Math.max(width, MIN_DOT), Math.max(height, MIN_DOT));
    return;
  }
  const reach = size / 4;
  const [middle, centre] = [x + width / 2, y + height / 2];
  context.strokeStyle = context.fillStyle = `rgb(${palette.zero.join(" ")})`;
  context.lineWidth = Math.max(1, size / 10);
  context.beginPath();
  if (Number.isNaN(value)) {
    context.moveTo(middle - reach, centre - reach);
    context.lineTo(middle + reach, centre + reach);
    context.moveTo(middle + reach, centre - reach);
    context.lineTo(middle - reach, centre + reach);
    context.stroke();
    return;
  }
  const tip = value > 0 ? -reach : reach;
  context.moveTo(middle, centre + tip);
  context.lineTo(middle - reach, centre - tip);
  context.lineTo(middle + reach, centre - tip);
  context.fill();
}
