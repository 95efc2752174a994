/** Cells of a heat map: how large, which one is pointed at, what it is called. */

import type { Size } from "./framing";
import type { PictureWire } from "./wire";

const MAX_CELL = 30;
const MAX_HEIGHT = 330;
/** A row of a vector must still be seen, a column of a long one pointed at. */
const MIN_SIDE = 18;

/** Size on the page: square cells if that leaves the picture neither too flat nor too tall. */
export function heatMapSize(rows: number, columns: number, room: number): Size {
  const cell = Math.min(MAX_CELL, room / columns, MAX_HEIGHT / rows);
  return { width: Math.max(cell * columns, Math.min(room, MIN_SIDE)), height: Math.max(cell * rows, MIN_SIDE) };
}

/** Index of the cell at a place given as shares of the whole width and height. */
export function cellAt(across: number, down: number, rows: number, columns: number): number {
  const row = Math.min(rows - 1, Math.max(0, Math.floor(down * rows)));
  const column = Math.min(columns - 1, Math.max(0, Math.floor(across * columns)));
  return row * columns + column;
}

/** The cell that an arrow key leads to, the first if none was pointed at; null for any other key. */
export function moveCell(cell: number | null, key: string, rows: number, columns: number): number | null {
  const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[key];
  if (step === undefined) return null;
  if (cell === null) return 0;
  const [down = 0, right = 0] = step;
  const row = Math.min(rows - 1, Math.max(0, Math.floor(cell / columns) + down));
  const column = Math.min(columns - 1, Math.max(0, (cell % columns) + right));
  return row * columns + column;
}

/** Where a cell sits in the whole tensor: `[0, 3, 12, 7]`. */
export function cellName(cell: number, picture: PictureWire): string {
  const { columns, row_axis, column_axis, row_step, column_step, index, shape } = picture;
  const row = Math.floor(cell / columns) * row_step;
  const column = (cell % columns) * column_step;
  if (shape.length < 2) return shape.length === 0 ? "value" : `[${row + column}]`;
  return `[${index.map((at, axis) => (axis === row_axis ? row : axis === column_axis ? column : at)).join(", ")}]`;
}

/** What of the tensor is drawn, where that is not plain: steps over many rows, a vector in several rows. */
export function sliceNote({ rows, columns, row_step, column_step, shape, note }: PictureWire): string {
  return [shape.length < 2 ? vectorNote(rows, columns, column_step) : stepNote(row_step, column_step), note]
    .filter((part) => part !== "")
    .join(" · ");
}

function vectorNote(rows: number, columns: number, step: number): string {
  if (rows > 1) return `${columns} in a row`;
  return step > 1 ? `every ${ordinal(step)} value` : "";
}

function stepNote(rowStep: number, columnStep: number): string {
  if (rowStep === 1 && columnStep === 1) return "";
  if (rowStep === columnStep) return `every ${ordinal(rowStep)} row and column`;
  return [
    rowStep > 1 ? `every ${ordinal(rowStep)} row` : "",
    columnStep > 1 ? `every ${ordinal(columnStep)} column` : "",
  ]
    .filter((part) => part !== "")
    .join(", ");
}

function ordinal(count: number): string {
  const isTeen = count % 100 >= 11 && count % 100 <= 13;
  const ending = isTeen ? "th" : ({ 1: "st", 2: "nd", 3: "rd" }[count % 10] ?? "th");
  return `${count}${ending}`;
}
