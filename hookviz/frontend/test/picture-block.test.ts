import { describe, expect, test } from "vitest";
import { axisLabel, cellName, pictureOf, pythonSlice, valuesAt } from "../src/picture";
import { block, wire } from "./blocks";

const CELL = { tile: 0, row: 1, column: 2 };

describe("a cell is named by its place in the whole tensor", () => {
  test("in a matrix", () => {
    expect(cellName(CELL, wire({ shape: [8, 16, 2, 3], index: [0, 3, 0, 0] }))).toBe("[0, 3, 1, 2]");
  });

  test("where only every n-th row and column is drawn", () => {
    expect(cellName(CELL, wire({ row_step: 4, column_step: 2 }))).toBe("[4, 4]");
  });

  test("in a tile of a grid that does not begin at the first", () => {
    const grid = wire({ shape: [8, 100, 2, 3], tile_axis: 1, tiles: 36, index: [2, 64, 0, 0] });

    expect(cellName({ ...CELL, tile: 3 }, grid)).toBe("[2, 67, 1, 2]");
  });

  test("on a page of a table", () => {
    expect(cellName(CELL, wire({ form: "table", shape: [300, 100], index: [64, 32] }))).toBe("[65, 34]");
  });

  test("of three channels at once", () => {
    expect(cellName(CELL, wire({ shape: [4, 3, 2, 3], color_axis: 1, index: [2, 0, 0, 0] }))).toBe("[2, :, 1, 2]");
  });

  test("of a vector in several rows by its one index", () => {
    const wrapped = wire({ shape: [128], row_axis: 0, column_axis: 0, rows: 8, columns: 16, row_step: 16 });

    expect(cellName(CELL, wrapped)).toBe("[18]");
  });

  test("on a line along any axis", () => {
    const line = wire({
      form: "line",
      shape: [2, 5, 4],
      row_axis: 1,
      column_axis: 1,
      rows: 1,
      columns: 5,
      index: [1, 0, 3],
    });

    expect(cellName({ tile: 0, row: 0, column: 4 }, line)).toBe("[1, 4, 3]");
  });

  test("of a single number not at all", () => {
    expect(cellName({ tile: 0, row: 0, column: 0 }, wire({ rows: 1, columns: 1, shape: [] }))).toBe("value");
  });
});

test("values are found tile by tile, channel by channel, row by row", () => {
  const grid = block({ tiles: 2, tile_axis: 0, rows: 1, columns: 2, shape: [2, 1, 2] }, [1, 2, 3, 4]);
  const colours = block({ color_axis: 0, rows: 1, columns: 2, shape: [3, 1, 2] }, [1, 2, 3, 4, 5, 6]);

  expect(valuesAt(grid, { tile: 1, row: 0, column: 1 })).toEqual([4]);
  expect(valuesAt(colours, { tile: 0, row: 0, column: 1 })).toEqual([2, 4, 6]);
});

test("numbers come as float32, or as float64 where that would round them", () => {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setFloat64(0, 0.1, true);

  expect(pictureOf(wire({ is_wide: true }), [bytes])?.values[0]).toBe(0.1);
  expect(pictureOf(wire(), [bytes])?.values).toHaveLength(2);
  expect(pictureOf(wire(), [])).toBeNull();
});

test("an axis is called by its number, and by what it stands for", () => {
  const named = wire({ axis_names: ["sample", ""] });

  expect([axisLabel(named, 0), axisLabel(named, 1)]).toEqual(["axis 0 · sample", "axis 1"]);
});

test.each([
  ["the whole of a matrix", wire(), ""],
  ["one slice", wire({ shape: [8, 16, 2, 3], index: [0, 3, 0, 0] }), "[0, 3]"],
  [
    "a slice along other axes",
    wire({ shape: [8, 2, 3, 16], row_axis: 1, column_axis: 2, index: [5, 0, 0, 7] }),
    "[5, :, :, 7]",
  ],
  ["every n-th row", wire({ shape: [9, 1000, 3], rows: 250, row_step: 4, index: [1, 0, 0] }), "[1]"],
  ["a grid", wire({ form: "grid", shape: [8, 16, 2, 3], tile_axis: 1, tiles: 16, index: [2, 0, 0, 0] }), "[2]"],
  ["filters", wire({ form: "grid", shape: [8, 16, 2, 3], tile_axis: 0, tiles: 8, index: [0, 5, 0, 0] }), "[:, 5]"],
  [
    "a page of tiles",
    wire({ form: "grid", shape: [8, 99, 2, 3], tile_axis: 1, tiles: 35, index: [2, 64, 0, 0] }),
    "[2, 64:99]",
  ],
  ["channels", wire({ shape: [8, 3, 2, 3], color_axis: 1, index: [4, 0, 0, 0] }), "[4]"],
  [
    "a page of a table",
    wire({ form: "table", shape: [300, 100], rows: 64, columns: 4, index: [64, 96] }),
    "[64:128, 96:100]",
  ],
  [
    "a row",
    wire({ form: "line", shape: [4, 9], row_axis: 1, column_axis: 1, rows: 1, columns: 9, index: [3, 0] }),
    "[3]",
  ],
  [
    "a column",
    wire({ form: "line", shape: [4, 9], row_axis: 0, column_axis: 0, rows: 1, columns: 4, index: [0, 7] }),
    "[:, 7]",
  ],
  ["a vector", wire({ form: "line", shape: [9], row_axis: 0, column_axis: 0, rows: 1, columns: 9 }), ""],
  ["a wrapped vector", wire({ shape: [128], row_axis: 0, column_axis: 0, rows: 8, columns: 16, row_step: 16 }), ""],
  [
    "a page of a vector",
    wire({ form: "table", shape: [100], row_axis: 0, column_axis: 0, rows: 36, columns: 1, index: [64] }),
    "[64:100]",
  ],
  ["a single number", wire({ shape: [] }), ""],
  ["complex numbers", wire({ shape: [4, 2, 3], index: [1, 0, 0], part: "angle" }), "[1].angle()"],
])("%s is written as in Python", (_, shown, python) => {
  expect(pythonSlice(shown)).toBe(python);
});
