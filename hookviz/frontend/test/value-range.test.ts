import { expect, test } from "vitest";
import { valueRange } from "../src/value-range";

const HUNDRED = Array.from({ length: 101 }, (_, i) => i);

test("signed values have zero in the middle of their range", () => {
  expect(valueRange([-4, 1, 2], 0)).toEqual({ low: -4, high: 4, isSigned: true, clipped: 0 });
});

test("values that are never negative have the range from their least to their greatest", () => {
  expect(valueRange([5, 6, 9], 0)).toEqual({ low: 5, high: 9, isSigned: false, clipped: 0 });
});

test("the outermost hundredth is left out and counted, so that an outlier does not hide the rest", () => {
  expect(valueRange([...HUNDRED.slice(0, 100), 1e6], 1)).toEqual({ low: 1, high: 99, isSigned: false, clipped: 2 });
  expect(valueRange([-1e6, ...HUNDRED.slice(1)], 1)).toEqual({ low: -99, high: 99, isSigned: true, clipped: 2 });
});

test("of fewer than a hundred values none is left out", () => {
  expect(valueRange([0, 1, 50], 1)).toMatchObject({ low: 0, high: 50, clipped: 0 });
});

test("NaN and infinities do not spoil the range", () => {
  expect(valueRange([Number.NaN, Number.POSITIVE_INFINITY, -4, 2], 0)).toMatchObject({ low: -4, high: 4 });
});

test("a few values among zeros are still seen", () => {
  const sparse = [...new Array(1000).fill(0), 3];

  expect(valueRange(sparse, 1)).toMatchObject({ low: 0, high: 3 });
  expect(valueRange([...sparse, -6], 1)).toMatchObject({ low: -6, high: 6 });
});

test.each([
  [[0, 0, 0], { low: 0, high: 1 }],
  [[7, 7], { low: 0, high: 7 }],
  [[Number.NaN], { low: 0, high: 1 }],
  [[], { low: 0, high: 1 }],
])("the range of %j is not empty", (values, range) => {
  expect(valueRange(values, 1)).toMatchObject({ ...range, isSigned: false });
});
