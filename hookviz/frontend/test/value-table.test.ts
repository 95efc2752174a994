import { expect, test } from "vitest";
import { tableText } from "../src/table-text";
import { copiedText, extentText } from "../src/value-table";
import { block, wire } from "./blocks";

test("copied numbers are exact, with tabs between columns and a line for each row", () => {
  const third = Math.fround(1 / 3);

  expect(tableText(block({}, [1, -2, third, Number.NaN, Number.POSITIVE_INFINITY, 0]), "float32")).toBe(
    "1\t-2\t0.33333334\nnan\tinf\t0\n",
  );
});

test("bools are copied as Python writes them", () => {
  expect(tableText(block({ rows: 1, columns: 2 }, [1, 0]), "bool")).toBe("True\tFalse\n");
});

test("of a recording three digits are copied, since no more are known", () => {
  expect(tableText(block({ rows: 1, columns: 1, is_rounded: true }, [0.123456]), "float32")).toBe("0.123\n");
});

test("a table says which part of the tensor it is", () => {
  const page = wire({ form: "table", shape: [300, 3], rows: 64, columns: 3, index: [64, 0] });
  const vector = wire({ form: "table", shape: [100], row_axis: 0, column_axis: 0, rows: 36, columns: 1, index: [64] });

  expect(extentText(wire())).toBe("2 rows, 3 columns");
  expect(extentText(page)).toBe("rows 64 to 127 of 300, 3 columns");
  expect(extentText(vector)).toBe("values 64 to 99 of 100");
});

test("it is said how much of the tensor was copied", () => {
  expect(copiedText(wire())).toBe("Copied all 6 numbers.");
  expect(copiedText(wire({ shape: [8, 1000, 3] }))).toBe("Copied 6 of the tensor's 24,000 numbers.");
  expect(copiedText(wire({ is_rounded: true }))).toBe("Copied all 6 numbers, rounded to three digits.");
});
