import { expect, test } from "vitest";
import { type HeatPalette, heatColor, heatPixels, parseHexColor } from "../src/heat-colors";

const PALETTE: HeatPalette = { zero: [255, 255, 255], above: [0, 0, 255], below: [255, 128, 0], bad: [255, 0, 0] };

test("zero has the colour of the paper", () => {
  expect(heatColor(0, -2, 2, PALETTE)).toEqual([255, 255, 255]);
});

test("half of the range is half of the colour, on either side of zero", () => {
  expect(heatColor(1, -2, 2, PALETTE)).toEqual([128, 128, 255]);
  expect(heatColor(-1, -2, 2, PALETTE)).toEqual([255, 192, 128]);
});

test("values beyond the range have its strongest colour", () => {
  expect(heatColor(9, -2, 2, PALETTE)).toEqual([0, 0, 255]);
  expect(heatColor(-9, -2, 2, PALETTE)).toEqual([255, 128, 0]);
});

test("NaN and infinities have the colour of trouble", () => {
  expect(heatColor(Number.NaN, -2, 2, PALETTE)).toEqual([255, 0, 0]);
  expect(heatColor(Number.POSITIVE_INFINITY, -2, 2, PALETTE)).toEqual([255, 0, 0]);
  expect(heatColor(Number.NEGATIVE_INFINITY, -2, 2, PALETTE)).toEqual([255, 0, 0]);
});

test("a tensor of zeros is all paper", () => {
  expect(heatColor(0, 0, 0, PALETTE)).toEqual([255, 255, 255]);
});

test("pixels are opaque and follow the order of the values", () => {
  expect([...heatPixels([2, 0], -2, 2, PALETTE)]).toEqual([0, 0, 255, 255, 255, 255, 255, 255]);
});

test("a colour is read as a canvas spells it", () => {
  expect(parseHexColor("#1d4ed8")).toEqual([29, 78, 216]);
  expect(parseHexColor("rgba(0, 0, 0, 0.5)")).toBeNull();
});
