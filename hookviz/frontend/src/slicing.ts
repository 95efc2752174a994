/** From the shown block of a tensor to the next one that the user means. */

import type { Form, PictureWire, Slice } from "./picture-wire";

export type AxisRole = "row_axis" | "column_axis" | "tile_axis";

/** The slice that is shown, in full. */
export function sliceOf(shown: PictureWire): Slice {
  const { form, row_axis, column_axis, tile_axis, color_axis, index, part } = shown;
  return {
    form,
    // A line has one axis only: which other one rows are is chosen anew.
    ...(form === "line" || row_axis === column_axis ? {} : { row_axis }),
    ...(shown.shape.length > 1 ? { column_axis } : {}),
    ...(tile_axis === null ? {} : { tile_axis }),
    ...(color_axis === null ? {} : { color_axis }),
    ...(part === null ? {} : { part }),
    index,
  };
}

/** In another form, at the same place. */
export function withForm(shown: PictureWire, form: Form): Slice {
  const { tile_axis, color_axis, row_axis, column_axis, ...rest } = sliceOf(shown);
  const isPlane = form !== "line" && row_axis !== undefined;
  return {
    ...rest,
    form,
    ...(isPlane ? { row_axis } : {}),
    ...(column_axis !== undefined && (isPlane || form === "line") ? { column_axis } : {}),
    ...(color_axis !== undefined && form !== "line" && form !== "table" ? { color_axis } : {}),
    ...(tile_axis !== undefined && form === "grid" ? { tile_axis } : {}),
  };
}

/** One tile of a grid as a matrix. */
export function withTile(shown: PictureWire, tile: number): Slice {
  const { tile_axis, index } = shown;
  return { ...withForm(shown, "matrix"), index: index.map((at, axis) => (axis === tile_axis ? at + tile : at)) };
}

/** Another axis in a role; what had that role takes the axis's own. */
export function withAxis(shown: PictureWire, role: AxisRole, axis: number): Slice {
  const before = shown[role];
  const slice: Slice = { ...sliceOf(shown), [role]: axis };
  for (const other of ["row_axis", "column_axis", "tile_axis"] as const) {
    if (other !== role && shown[other] === axis && slice[other] !== undefined && before !== null) slice[other] = before;
  }
  // An axis that was colours is no longer, and every block begins anew along what it shows.
  if (slice.color_axis === axis) delete slice.color_axis;
  return slice;
}

/** Three positions of an axis as red, green and blue, or (null) side by side again. */
export function withColors(shown: PictureWire, axis: number | null): Slice {
  const { color_axis: _, tile_axis, ...slice } = sliceOf(shown);
  const isTile = tile_axis === axis;
  return {
    ...slice,
    ...(axis === null ? {} : { color_axis: axis }),
    ...(tile_axis === undefined || isTile ? {} : { tile_axis }),
  };
}

export function withPosition(shown: PictureWire, index: readonly number[], axis: number, position: number): Slice {
  const last = (shown.shape[axis] ?? 1) - 1;
  const at = Math.min(last, Math.max(0, Math.round(position)));
  return { ...sliceOf(shown), index: index.map((each, i) => (i === axis ? at : each)) };
}

/** Axes that the picture does not show and along which there is a choice. */
export function otherAxes(shown: PictureWire): number[] {
  const { shape, movable } = shown;
  const drawn = new Set<number | null>([shown.row_axis, shown.column_axis, shown.tile_axis, shown.color_axis]);
  return [...shape.keys()].filter(
    (axis) => !drawn.has(axis) && (shape[axis] ?? 0) > 1 && (movable === undefined || movable.includes(axis)),
  );
}

/** Axes of size 3 that can be red, green and blue. */
export function colorAxes({ shape, row_axis, column_axis, movable }: PictureWire): number[] {
  if (movable !== undefined || row_axis === column_axis) return [];
  return [...shape.keys()].filter((axis) => shape[axis] === 3 && axis !== row_axis && axis !== column_axis);
}

/** Axes of which only a page is shown, and how many positions that is. */
export function pagedAxes(shown: PictureWire): [axis: number, count: number][] {
  const { form, tile_axis, tiles, rows, columns, row_axis, column_axis, shape, movable } = shown;
  const pages: [number, number][] = [];
  if (movable !== undefined) return pages;
  if (tile_axis !== null) pages.push([tile_axis, tiles]);
  if (form === "table")
    pages.push([row_axis, rows], ...(row_axis === column_axis ? [] : [[column_axis, columns] as [number, number]]));
  return pages.filter(([axis, count]) => count < (shape[axis] ?? 0));
}
