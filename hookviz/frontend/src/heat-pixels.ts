/** The pixels of one tile, one per cell, in the order that `ImageData` wants. */

import { channelColor, type HeatPalette, heatColor } from "./heat-colors";
import { colorsOf, type Picture } from "./picture";
import type { ValueRange } from "./value-range";

export function tilePixels(
  { wire, values }: Picture,
  tile: number,
  range: ValueRange,
  palette: HeatPalette,
): Uint8ClampedArray<ArrayBuffer> {
  const size = wire.rows * wire.columns;
  const colors = colorsOf(wire);
  const start = tile * colors * size;
  const pixels = new Uint8ClampedArray(size * 4);
  for (let i = 0; i < size; i += 1) {
    const at = (color: number) => values[start + color * size + i] ?? Number.NaN;
    const color = colors === 1 ? heatColor(at(0), range, palette) : channelColor([at(0), at(1), at(2)], range, palette);
    pixels.set([...color, 255], i * 4);
  }
  return pixels;
}
