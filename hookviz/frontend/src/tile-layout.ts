/** Where the tiles of a picture and their cells lie on the page; a matrix is a picture of one tile. */

import type { Size } from "./framing";
import type { Cell } from "./picture";
import type { PictureWire } from "./picture-wire";

const MAX_CELL = 30;
const MAX_HEIGHT = 330;
const MAX_GRID_HEIGHT = 400;
/** A row of a vector must still be seen, a column of a long one pointed at. */
const MIN_SIDE = 18;
const GAP = 4;
/** Room above each tile of a grid for its number. */
const LABEL = 13;

export interface TileLayout extends Size {
  /** How many tiles stand side by side. */
  across: number;
  tile: Size;
  /** Height of the line above each tile. */
  label: number;
  gap: number;
}

export interface Box extends Size {
  x: number;
  y: number;
}

type Shape = Pick<PictureWire, "tiles" | "rows" | "columns" | "tile_axis">;

/** Tiles as large as fit into the room. */
export function layoutTiles({ tiles, rows, columns, tile_axis }: Shape, room: number): TileLayout {
  if (tile_axis === null) {
    const tile = matrixSize(rows, columns, room);
    return { across: 1, tile, label: 0, gap: 0, ...tile };
  }
  let across = 1;
  let cell = 0;
  for (let count = 1; count <= tiles; count += 1) {
    const down = Math.ceil(tiles / count);
    const fitting = Math.min(
      MAX_CELL,
      (room - GAP * (count - 1)) / count / columns,
      (MAX_GRID_HEIGHT - (GAP + LABEL) * down) / down / rows,
    );
    if (fitting > cell) {
      across = count;
      cell = fitting;
    }
  }
  const tile = { width: Math.max(cell * columns, MIN_SIDE), height: Math.max(cell * rows, 1) };
  const down = Math.ceil(tiles / across);
  return {
    across,
    tile,
    label: LABEL,
    gap: GAP,
    width: across * (tile.width + GAP) - GAP,
    height: down * (tile.height + LABEL + GAP) - GAP,
  };
}

/** Square cells if that leaves the picture neither too flat nor too tall. */
export function matrixSize(rows: number, columns: number, room: number): Size {
  const cell = Math.min(MAX_CELL, room / columns, MAX_HEIGHT / rows);
  return { width: Math.max(cell * columns, Math.min(room, MIN_SIDE)), height: Math.max(cell * rows, MIN_SIDE) };
}

/** The corner of a tile, below its label. */
export function tileBox({ across, tile, label, gap }: TileLayout, number: number): Box {
  return {
    x: (number % across) * (tile.width + gap),
    y: Math.floor(number / across) * (tile.height + label + gap) + label,
    ...tile,
  };
}

export function cellBox(layout: TileLayout, { rows, columns }: Shape, cell: Cell): Box {
  const { x, y, width, height } = tileBox(layout, cell.tile);
  const size = { width: width / columns, height: height / rows };
  return { x: x + cell.column * size.width, y: y + cell.row * size.height, ...size };
}

/** The cell at a place; between the tiles the nearest one of the tile before. Null where there is none. */
export function cellAt(layout: TileLayout, shape: Shape, x: number, y: number): Cell | null {
  const { across, tile, label, gap } = layout;
  const left = clamp(Math.floor(x / (tile.width + gap)), across);
  const top = clamp(Math.floor(y / (tile.height + label + gap)), Math.ceil(shape.tiles / across));
  const number = top * across + left;
  if (number >= shape.tiles) return null;
  const box = tileBox(layout, number);
  return {
    tile: number,
    row: clamp(Math.floor(((y - box.y) / tile.height) * shape.rows), shape.rows),
    column: clamp(Math.floor(((x - box.x) / tile.width) * shape.columns), shape.columns),
  };
}

const STEPS: Record<string, readonly [down: number, right: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/**
 * The cell that an arrow key leads to, the first if none was pointed at; null for any other key.
 *
 * Beyond the edge of a tile lies the next tile in that direction, if there is one.
 */
export function moveCell(cell: Cell | null, key: string, shape: Shape, { across }: TileLayout): Cell | null {
  const step = STEPS[key];
  if (step === undefined) return null;
  if (cell === null) return { tile: 0, row: 0, column: 0 };
  const { rows, columns, tiles } = shape;
  const row = cell.row + step[0];
  const column = cell.column + step[1];
  if (row >= 0 && row < rows && column >= 0 && column < columns) return { ...cell, row, column };
  const tile = cell.tile + step[0] * across + step[1];
  const isNeighbour = step[1] === 0 || Math.floor(tile / across) === Math.floor(cell.tile / across);
  if (tile < 0 || tile >= tiles || !isNeighbour) return cell;
  return { tile, row: (row + rows) % rows, column: (column + columns) % columns };
}

function clamp(at: number, count: number): number {
  return Math.min(count - 1, Math.max(0, at));
}
