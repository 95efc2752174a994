/** Colours of the heat map: of signed values zero in the paper's colour, one hue above and one below; else one hue. */

import type { ValueRange } from "./value-range";

export type Rgb = readonly [red: number, green: number, blue: number];

export interface HeatPalette {
  zero: Rgb;
  above: Rgb;
  below: Rgb;
  /** NaN and infinities. */
  bad: Rgb;
}

type Range = Pick<ValueRange, "low" | "high" | "isSigned">;

/** The colour of one value; beyond the range it no longer grows stronger. */
export function heatColor(value: number, { low, high, isSigned }: Range, palette: HeatPalette): Rgb {
  if (!Number.isFinite(value)) return palette.bad;
  if (!isSigned) return mix(palette.zero, palette.above, (value - low) / (high - low));
  return value < 0 ? mix(palette.zero, palette.below, value / low) : mix(palette.zero, palette.above, value / high);
}

/** Red, green and blue by three values of one range, from black to white. */
export function channelColor(values: readonly number[], { low, high }: Range, palette: HeatPalette): Rgb {
  if (values.some((value) => !Number.isFinite(value))) return palette.bad;
  const [red = 0, green = 0, blue = 0] = values.map((value) => Math.round(255 * share((value - low) / (high - low))));
  return [red, green, blue];
}

function mix(from: Rgb, to: Rgb, amount: number): Rgb {
  const blend = (a: number, b: number) => Math.round(a + (b - a) * share(amount));
  return [blend(from[0], to[0]), blend(from[1], to[1]), blend(from[2], to[2])];
}

function share(amount: number): number {
  return Math.min(1, Math.max(0, amount));
}

/** The three channels of `#rrggbb`, which is how a canvas spells any opaque colour back. */
export function parseHexColor(text: string): Rgb | null {
  const digits = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text);
  if (digits === null) return null;
  const [, red = "", green = "", blue = ""] = digits;
  return [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)];
}

/** The style sheet's colours as numbers; a canvas knows every way in which CSS may spell them. */
export function readPalette(element: HTMLElement): HeatPalette {
  const style = getComputedStyle(element);
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
