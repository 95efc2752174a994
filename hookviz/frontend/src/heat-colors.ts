/** Colours of the heat map: zero in the paper's colour, one hue above, one below, a third for NaN and infinities. */

export type Rgb = readonly [red: number, green: number, blue: number];

export interface HeatPalette {
  zero: Rgb;
  above: Rgb;
  below: Rgb;
  /** NaN and infinities. */
  bad: Rgb;
}

/** The colour of one value; beyond `low` and `high` it no longer grows stronger. */
export function heatColor(value: number, low: number, high: number, palette: HeatPalette): Rgb {
  if (!Number.isFinite(value)) return palette.bad;
  if (value > 0 && high > 0) return mix(palette.zero, palette.above, Math.min(1, value / high));
  if (value < 0 && low < 0) return mix(palette.zero, palette.below, Math.min(1, value / low));
  return palette.zero;
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const blend = (a: number, b: number) => Math.round(a + (b - a) * share);
  return [blend(from[0], to[0]), blend(from[1], to[1]), blend(from[2], to[2])];
}

/** The pixels of a picture, one per value, in the order that `ImageData` wants. */
export function heatPixels(
  values: ArrayLike<number>,
  low: number,
  high: number,
  palette: HeatPalette,
): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(values.length * 4);
  for (let i = 0; i < values.length; i += 1) {
    const [red, green, blue] = heatColor(values[i] ?? Number.NaN, low, high, palette);
    pixels.set([red, green, blue, 255], i * 4);
  }
  return pixels;
}

/** The three channels of `#rrggbb`, which is how a canvas spells any opaque colour back. */
export function parseHexColor(text: string): Rgb | null {
  const digits = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text);
  if (digits === null) return null;
  const [, red = "", green = "", blue = ""] = digits;
  return [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)];
}
