import { expect, test } from "vitest";
import { channelColor, type HeatPalette, heatColor, parseHexColor } from "../src/heat-colors";
import { tilePixels } from "../src/heat-pixels";
import { block } from "./blocks";

const PALETTE: HeatPalette = { zero: [255, 255, 255], above: [0, 0, 255], below: [255, 128, 0], bad: [255, 0, 0] };
const SIGNED = { low: -2, high: 2, isSigned: true };
const POSITIVE = { low: 1, high: 3, isSigned: false };

test("zero has the colour of the paper", () => {
  expect(heatColor(0, SIGNED, PALETTE)).toEqual([255, 255, 255]);
});

test("half of the range is half of the colour, on either side of zero", () => {
  expect(heatColor(1, SIGNED, PALETTE)).toEqual([128, 128, 255]);
  expect(heatColor(-1, SIGNED, PALETTE)).toEqual([255, 192, 128]);
});

test("values that are never negative go from paper to one hue, over their own range", () => {
  expect(heatColor(1, POSITIVE, PALETTE)).toEqual([255, 255, 255]);
  expect(heatColor(2, POSITIVE, PALETTE)).toEqual([128, 128, 255]);
  expect(heatColor(3, POSITIVE, PALETTE)).toEqual([0, 0, 255]);
});

test("values beyond the range have its strongest colour", () => {
  expect(heatColor(9, SIGNED, PALETTE)).toEqual([0, 0, 255]);
  expect(heatColor(-9, SIGNED, PALETTE)).toEqual([255, 128, 0]);
  expect(heatColor(0, POSITIVE, PALETTE)).toEqual([255, 255, 255]);
});

test("NaN and infinities have the colour of trouble", () => {
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    expect(heatColor(bad, SIGNED, PALETTE)).toEqual([255, 0, 0]);
    expect(channelColor([1, bad, 1], POSITIVE, PALETTE)).toEqual([255, 0, 0]);
  }
});

test("three channels are red, green and blue from black to white", () => {
  expect(channelColor([1, 2, 3], POSITIVE, PALETTE)).toEqual([0, 128, 255]);
  expect(channelColor([0, 9, 1], POSITIVE, PALETTE)).toEqual([0, 255, 0]);
});

test("pixels are those of one tile, opaque and in the order of the values", () => {
  const picture = block({ tiles: 2, tile_axis: 0, rows: 1, columns: 2, shape: [2, 1, 2] }, [9, 9, 2, 0]);

  const pixels = tilePixels(picture, 1, { ...SIGNED, clipped: 0 }, PALETTE);

  expect([...pixels]).toEqual([0, 0, 255, 255, 255, 255, 255, 255]);
});

test("pixels of three channels take a value from each", () => {
  const picture = block({ color_axis: 0, rows: 1, columns: 2, shape: [3, 1, 2] }, [3, 1, 1, 3, 1, 1]);

  const pixels = tilePixels(picture, 0, { ...POSITIVE, clipped: 0 }, PALETTE);

  expect([...pixels]).toEqual([255, 0, 0, 255, 0, 255, 0, 255]);
});

test("a colour is read as a canvas spells it", () => {
  expect(parseHexColor("#1d4ed8")).toEqual([29, 78, 216]);
  expect(parseHexColor("rgba(0, 0, 0, 0.5)")).toBeNull();
});
