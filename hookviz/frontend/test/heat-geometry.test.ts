import { expect, test } from "vitest";
import { cellAt, cellName, heatMapSize, moveCell, sliceNote } from "../src/heat-geometry";
import { picture } from "./examples";

test("a square picture fills the room with square cells", () => {
  expect(heatMapSize(32, 32, 288)).toEqual({ width: 288, height: 288 });
});

test("few cells stay small", () => {
  expect(heatMapSize(3, 3, 288)).toEqual({ width: 90, height: 90 });
});

test("a single long row is still high enough to point at", () => {
  expect(heatMapSize(1, 256, 288)).toEqual({ width: 288, height: 18 });
});

test("a tall picture stays within the pane", () => {
  expect(heatMapSize(256, 4, 288)).toEqual({ width: 18, height: 330 });
});

test("the pointer at the far edge still points at the last cell", () => {
  expect(cellAt(0, 0, 2, 3)).toBe(0);
  expect(cellAt(1, 1, 2, 3)).toBe(5);
  expect(cellAt(0.5, 0.9, 2, 3)).toBe(4);
});

test("arrow keys move by one cell and stop at the border", () => {
  expect(moveCell(null, "ArrowDown", 2, 3)).toBe(0);
  expect(moveCell(0, "ArrowDown", 2, 3)).toBe(3);
  expect(moveCell(3, "ArrowDown", 2, 3)).toBe(3);
  expect(moveCell(2, "ArrowRight", 2, 3)).toBe(2);
  expect(moveCell(2, "x", 2, 3)).toBeNull();
});

test("a cell is named by its place in the whole tensor", () => {
  expect(cellName(5, picture)).toBe("[0, 3, 1, 2]");
  expect(cellName(5, { ...picture, row_step: 4, column_step: 2 })).toBe("[0, 3, 4, 4]");
});

test("a cell of a vector in several rows is named by its one index", () => {
  const wrapped = { ...picture, shape: [128], index: [0], row_axis: 0, column_axis: 0, row_step: 16, column_step: 1 };

  expect(cellName(18, { ...wrapped, rows: 8, columns: 16 })).toBe("[18]");
});

test("a single number has no index", () => {
  expect(cellName(0, { ...picture, rows: 1, columns: 1, shape: [], index: [] })).toBe("value");
});

test("it is said where not every value is drawn, or not the value itself", () => {
  const plain = { ...picture, note: "" };

  expect(sliceNote(plain)).toBe("");
  expect(sliceNote({ ...plain, row_step: 2, column_step: 2 })).toBe("every 2nd row and column");
  expect(sliceNote({ ...plain, row_step: 11, column_step: 3 })).toBe("every 11th row, every 3rd column");
  expect(sliceNote({ ...plain, column_step: 21, note: "magnitude" })).toBe("every 21st column · magnitude");
  expect(sliceNote({ ...plain, shape: [128], rows: 8, columns: 16 })).toBe("16 in a row");
  expect(sliceNote({ ...plain, shape: [1021], rows: 1, column_step: 4 })).toBe("every 4th value");
});
