import { describe, expect, test } from "vitest";
import {
  colorAxes,
  otherAxes,
  pagedAxes,
  withAxis,
  withColors,
  withForm,
  withPosition,
  withTile,
} from "../src/slicing";
import { wire } from "./blocks";

const MAPS = wire({ form: "grid", shape: [8, 100, 5, 6], tile_axis: 1, tiles: 64, index: [2, 0, 0, 0] });

test("the axes for rows and columns can be exchanged", () => {
  expect(withAxis(wire({ shape: [4, 5, 6] }), "row_axis", 2)).toMatchObject({ row_axis: 2, column_axis: 1 });
});

test("an axis of the grid can become rows; the rows' axis is then that of the tiles", () => {
  expect(withAxis(MAPS, "row_axis", 1)).toMatchObject({ row_axis: 1, column_axis: 3, tile_axis: 2 });
});

test("an axis that nothing had leaves the others as they are", () => {
  expect(withAxis(MAPS, "tile_axis", 0)).toMatchObject({ row_axis: 2, column_axis: 3, tile_axis: 0 });
});

test("a tile of a grid is enlarged at its place", () => {
  const page = { ...MAPS, index: [2, 64, 0, 0], tiles: 36 };

  expect(withTile(page, 3)).toEqual({ form: "matrix", row_axis: 2, column_axis: 3, index: [2, 67, 0, 0] });
});

test("a form keeps the place and the axes that it has", () => {
  expect(withForm(MAPS, "table")).toEqual({ form: "table", row_axis: 2, column_axis: 3, index: [2, 0, 0, 0] });
  expect(withForm(MAPS, "line")).toEqual({ form: "line", column_axis: 3, index: [2, 0, 0, 0] });
});

test("behind a line the axes of a plane are chosen anew", () => {
  const line = wire({ form: "line", shape: [4, 5, 6], row_axis: 1, column_axis: 1, index: [1, 0, 2] });

  expect(withForm(line, "matrix")).toEqual({ form: "matrix", index: [1, 0, 2] });
});

test("of a vector there is no axis to choose", () => {
  const vector = wire({ form: "line", shape: [9], row_axis: 0, column_axis: 0 });

  expect(withForm(vector, "table")).toEqual({ form: "table", index: [0] });
});

describe("colours", () => {
  const filters = wire({ form: "grid", shape: [64, 3, 7, 7], tile_axis: 0, tiles: 64, index: [0, 2, 0, 0] });

  test("can be any axis of size 3 that is neither rows nor columns", () => {
    expect(colorAxes(filters)).toEqual([1]);
    expect(colorAxes(wire({ shape: [3, 3, 3] }))).toEqual([0]);
    expect(colorAxes(wire({ shape: [3], row_axis: 0, column_axis: 0 }))).toEqual([]);
  });

  test("take an axis from the tiles where they had it", () => {
    expect(withColors(filters, 1)).toMatchObject({ color_axis: 1, tile_axis: 0 });
    expect(withColors({ ...filters, tile_axis: 1, tiles: 3 }, 1).tile_axis).toBeUndefined();
    expect(withColors({ ...filters, color_axis: 1 }, null).color_axis).toBeUndefined();
  });
});

describe("positions", () => {
  test("are there for the axes that are not shown", () => {
    expect(otherAxes(MAPS)).toEqual([0]);
    expect(otherAxes(wire({ shape: [1, 4, 5, 6] }))).toEqual([1]);
  });

  test("of a recording are there where it has more", () => {
    expect(otherAxes(wire({ shape: [8, 4, 5, 6], movable: [1] }))).toEqual([1]);
  });

  test("stay within the tensor", () => {
    expect(withPosition(MAPS, MAPS.index, 0, 99).index).toEqual([7, 0, 0, 0]);
    expect(withPosition(MAPS, MAPS.index, 0, -3).index).toEqual([0, 0, 0, 0]);
  });
});

test("what does not fit on a page is leafed through", () => {
  expect(pagedAxes(MAPS)).toEqual([[1, 64]]);
  expect(pagedAxes(wire({ form: "table", shape: [300, 3], rows: 64, columns: 3 }))).toEqual([[0, 64]]);
  expect(pagedAxes(wire())).toEqual([]);
});
