import { expect, test } from "vitest";
import { axesText } from "../src/heat-legend";
import { badText, readingText, sliceNote } from "../src/value-text";
import { block, wire } from "./blocks";

const FIRST = { tile: 0, row: 0, column: 0 };

test("a value is read out to its last digit", () => {
  expect(readingText(block({}, [-1 / 3]), FIRST, "float32")).toBe("[0, 0] = −0.33333334");
});

test("of a recording, three digits are known", () => {
  expect(readingText(block({ is_rounded: true }, [1 / 3]), FIRST, "float32")).toBe("[0, 0] ≈ 0.333");
});

test("a bool is True or False", () => {
  expect(readingText(block({}, [1]), FIRST, "bool")).toBe("[0, 0] = True");
});

test("red, green and blue are read out together", () => {
  const picture = block({ color_axis: 0, rows: 1, columns: 1, shape: [3, 1, 1] }, [0.5, 0.25, Number.NaN]);

  expect(readingText(picture, FIRST, "float32")).toBe("[:, 0, 0] = 0.5, 0.25, NaN");
});

test("it is said where not every value is drawn, or not the value itself", () => {
  const vector = { shape: [128], row_axis: 0, column_axis: 0 };

  expect(sliceNote(wire())).toBe("");
  expect(sliceNote(wire({ row_step: 2, column_step: 2 }))).toBe("every 2nd row and column");
  expect(sliceNote(wire({ row_step: 11, column_step: 3 }))).toBe("every 11th row, every 3rd column");
  expect(sliceNote(wire({ column_step: 21, part: "magnitude" }))).toBe("every 21st column · magnitude");
  expect(sliceNote(wire({ note: "sparse, written out" }))).toBe("sparse, written out");
  expect(sliceNote(wire({ ...vector, rows: 8, columns: 16, row_step: 16 }))).toBe("16 in a row");
  expect(sliceNote(wire({ ...vector, rows: 1, column_step: 4 }))).toBe("every 4th value");
  expect(sliceNote(wire({ ...vector, form: "line", rows: 2, column_step: 4 }))).toBe(
    "least and greatest of every 4 values",
  );
});

test("NaN and infinities are counted, those between the drawn rows too", () => {
  const { NaN: nan, POSITIVE_INFINITY: inf } = Number;

  expect(badText(block({}, [1, 2, 3]))).toBe("");
  expect(badText(block({ nans: 1, infs: 1 }, [1, nan, inf]))).toBe("1 NaN, 1 Inf");
  expect(badText(block({ nans: 5, row_step: 4 }, [1, nan, 2]))).toBe("5 NaN, 4 between what is drawn");
});

test("it is told what rows and columns stand for, where both are known", () => {
  expect(axesText(wire({ axis_names: ["query", "key"] }))).toBe("↓ query → key");
  expect(axesText(wire({ axis_names: ["", "key"] }))).toBe("");
  expect(axesText(wire({ axis_names: ["y", "x"] }))).toBe("");
  expect(axesText(wire({ shape: [4], row_axis: 0, column_axis: 0, axis_names: ["out"] }))).toBe("");
});
