/** A block of a tensor's values as it came, and where each of them sits in the tensor. */

import { doubles, floats } from "./buffers";
import type { PictureWire } from "./picture-wire";

export interface Picture {
  wire: PictureWire;
  values: Float32Array | Float64Array;
}

/** A value's place in the block. */
export interface Cell {
  tile: number;
  row: number;
  column: number;
}

const COLORS = 3;

export function pictureOf(wire: PictureWire, buffers: readonly DataView[]): Picture | null {
  const [buffer] = buffers;
  return buffer === undefined ? null : { wire, values: wire.is_wide ? doubles(buffer) : floats(buffer) };
}

/** 3 where red, green and blue are drawn together. */
export function colorsOf({ color_axis }: PictureWire): number {
  return color_axis === null ? 1 : COLORS;
}

/** The values of one cell: one, or those of red, green and blue. */
export function valuesAt({ wire, values }: Picture, { tile, row, column }: Cell): number[] {
  const { rows, columns } = wire;
  const colors = colorsOf(wire);
  return Array.from({ length: colors }, (_, color) => {
    const at = ((tile * colors + color) * rows + row) * columns + column;
    return values[at] ?? Number.NaN;
  });
}

/** Where a cell sits in the whole tensor: `[0, 3, 12, 7]`, with `:` where several values are one cell. */
export function cellName({ tile, row, column }: Cell, wire: PictureWire): string {
  const { row_axis, column_axis, tile_axis, color_axis, row_step, column_step, index, shape } = wire;
  if (shape.length === 0) return "value";
  if (row_axis === column_axis) {
    const at = (index[column_axis] ?? 0) + (wire.form === "line" ? 0 : row * row_step) + column * column_step;
    return `[${index.map((each, axis) => (axis === column_axis ? at : each)).join(", ")}]`;
  }
  const place = (at: number, axis: number): number | string => {
    if (axis === color_axis) return ":";
    if (axis === row_axis) return at + row * row_step;
    if (axis === column_axis) return at + column * column_step;
    return axis === tile_axis ? at + tile : at;
  };
  return `[${index.map(place).join(", ")}]`;
}

/** How an axis is called where that it is one goes without saying: `1 · channel`. */
export function shortAxisLabel({ axis_names }: PictureWire, axis: number): string {
  const name = axis_names[axis] ?? "";
  return name === "" ? `axis ${axis}` : `${axis} · ${name}`;
}

/** How an axis is called elsewhere: `axis 1 · channel`. */
export function axisLabel({ axis_names }: PictureWire, axis: number): string {
  const name = axis_names[axis] ?? "";
  return name === "" ? `axis ${axis}` : `axis ${axis} · ${name}`;
}

/** The slice as one writes it in Python behind the tensor: `[0, :, 2]`; empty text where it is the whole of it. */
export function pythonSlice({ form, index, shape, rows, columns, ...wire }: PictureWire): string {
  const { row_axis, column_axis, tile_axis, color_axis, part } = wire;
  const spans = new Map<number, [number, number]>();
  const isPage = form === "table" && !wire.is_rounded;
  const span = (axis: number, count: number, step: number) => {
    const from = index[axis] ?? 0;
    spans.set(axis, [from, isPage ? from + count : from + count * step]);
  };
  span(row_axis, rows, wire.row_step);
  if (row_axis !== column_axis) span(column_axis, columns, wire.column_step);
  // All numbers of a vector are there, in whatever rows they stand.
  else spans.set(column_axis, isPage ? [index[column_axis] ?? 0, (index[column_axis] ?? 0) + rows] : [0, Infinity]);
  if (tile_axis !== null) span(tile_axis, wire.tiles, 1);
  if (color_axis !== null) spans.set(color_axis, [0, Infinity]);
  const keys = shape.map((size, axis) => {
    const found = spans.get(axis);
    if (found === undefined) return String(index[axis] ?? 0);
    const [from, to] = found;
    return from === 0 && to >= size ? ":" : `${from}:${Math.min(to, size)}`;
  });
  while (keys.at(-1) === ":") keys.pop();
  return `${keys.length === 0 ? "" : `[${keys.join(", ")}]`}${PART_OF[part ?? "none"]}`;
}

const PART_OF = { none: "", magnitude: ".abs()", real: ".real", imag: ".imag", angle: ".angle()" } as const;
