import { describe, expect, test } from "vitest";
import { cellAt, cellBox, layoutTiles, matrixSize, moveCell, tileBox } from "../src/tile-layout";

const MATRIX = { tiles: 1, rows: 2, columns: 3, tile_axis: null };
const GRID = { tiles: 5, rows: 4, columns: 4, tile_axis: 1 };

describe("a matrix", () => {
  test("fills the room with square cells", () => {
    expect(matrixSize(32, 32, 288)).toEqual({ width: 288, height: 288 });
  });

  test("of few cells stays small", () => {
    expect(matrixSize(3, 3, 288)).toEqual({ width: 90, height: 90 });
  });

  test("of a single long row is still high enough to point at", () => {
    expect(matrixSize(1, 256, 288)).toEqual({ width: 288, height: 18 });
  });

  test("that is tall stays within the pane", () => {
    expect(matrixSize(256, 4, 288)).toEqual({ width: 18, height: 330 });
  });

  test("is one tile without a label", () => {
    expect(layoutTiles(MATRIX, 300)).toMatchObject({ across: 1, label: 0, width: 90, height: 60 });
  });
});

describe("a grid", () => {
  test("has as many tiles side by side as make them largest", () => {
    expect(layoutTiles({ tiles: 64, rows: 28, columns: 28, tile_axis: 1 }, 330).across).toBe(8);
    expect(layoutTiles({ tiles: 4, rows: 64, columns: 64, tile_axis: 1 }, 330).across).toBe(2);
  });

  test("never grows out of the room", () => {
    for (const tiles of [2, 3, 7, 64]) {
      for (const rows of [1, 5, 64]) {
        const layout = layoutTiles({ tiles, rows, columns: 20, tile_axis: 1 }, 330);

        expect(layout.width).toBeLessThanOrEqual(330.001);
        expect(layout.height).toBeLessThanOrEqual(401);
      }
    }
  });

  test("puts a cell where it is found again", () => {
    const layout = layoutTiles(GRID, 300);
    const cell = { tile: 4, row: 3, column: 1 };

    const { x, y, width, height } = cellBox(layout, GRID, cell);

    expect(cellAt(layout, GRID, x + width / 2, y + height / 2)).toEqual(cell);
  });

  test("has no cell behind its last tile", () => {
    const layout = layoutTiles(GRID, 300);
    const last = tileBox(layout, 4);

    expect(cellAt(layout, GRID, last.x + last.width + 20, last.y + 5)).toBeNull();
  });

  test("is walked over from tile to tile", () => {
    const layout = { ...layoutTiles(GRID, 300), across: 3 };

    expect(moveCell({ tile: 0, row: 2, column: 3 }, "ArrowRight", GRID, layout)).toEqual({
      tile: 1,
      row: 2,
      column: 0,
    });
    expect(moveCell({ tile: 0, row: 3, column: 1 }, "ArrowDown", GRID, layout)).toEqual({ tile: 3, row: 0, column: 1 });
    // The last one of a line has no neighbour on its right, the third of five none below.
    expect(moveCell({ tile: 2, row: 0, column: 3 }, "ArrowRight", GRID, layout)).toEqual({
      tile: 2,
      row: 0,
      column: 3,
    });
    expect(moveCell({ tile: 2, row: 3, column: 0 }, "ArrowDown", GRID, layout)).toEqual({ tile: 2, row: 3, column: 0 });
  });
});

test("the pointer at the far edge still points at the last cell", () => {
  const layout = layoutTiles(MATRIX, 300);

  expect(cellAt(layout, MATRIX, 0, 0)).toEqual({ tile: 0, row: 0, column: 0 });
  expect(cellAt(layout, MATRIX, 90, 60)).toEqual({ tile: 0, row: 1, column: 2 });
});

test("arrow keys move by one cell and stop at the border", () => {
  const layout = layoutTiles(MATRIX, 300);
  const move = (row: number, column: number, key: string) => moveCell({ tile: 0, row, column }, key, MATRIX, layout);

  expect(moveCell(null, "ArrowDown", MATRIX, layout)).toEqual({ tile: 0, row: 0, column: 0 });
  expect(move(0, 0, "ArrowDown")).toEqual({ tile: 0, row: 1, column: 0 });
  expect(move(1, 0, "ArrowDown")).toEqual({ tile: 0, row: 1, column: 0 });
  expect(move(0, 2, "ArrowRight")).toEqual({ tile: 0, row: 0, column: 2 });
  expect(move(0, 2, "x")).toBeNull();
});
