/** Cuts what is asked for out of the one block of a tensor that a recording has. */

import { floats } from "./buffers";
import { floatsOfHalves } from "./half-floats";
import type { Form, PictureWire, Slice } from "./picture-wire";
import type { RecordedPictureWire } from "./recording-wire";

export interface RecordedBlock {
  reply: PictureWire;
  buffers: DataView[];
}

/** The recorded block in the form that is asked for, at the recorded place nearest to the one that is. */
export function recordedBlock(recorded: RecordedPictureWire, { form: wanted, index: place }: Slice): RecordedBlock {
  const { scale, values: halves, ...wire } = recorded;
  const values = floats(floatsOfHalves(halves, scale));
  const forms = formsOf(wire);
  const form = forms.find((each) => each === wanted) ?? wire.form;
  const whole = { ...wire, forms, movable: [], note: noteOf(wire) };
  if (form === wire.form && form !== "matrix") return { reply: whole, buffers: [bufferOf(values)] };
  if (wire.row_axis === wire.column_axis) return { reply: asColumn(whole, form), buffers: [bufferOf(values)] };
  const at = place ?? wire.index;
  const { rows, columns, row_axis, column_axis, tile_axis, index } = wire;
  const tile = tile_axis === null ? 0 : clamp((at[tile_axis] ?? 0) - (index[tile_axis] ?? 0), wire.tiles);
  const row = clamp(Math.floor((at[row_axis] ?? 0) / wire.row_step), rows);
  const isLine = form === "line";
  const from = tile * rows * columns + (isLine ? row * columns : 0);
  const cut = values.slice(from, from + (isLine ? columns : rows * columns));
  const moved = index.map((each, axis) => {
    if (axis === tile_axis) return each + tile;
    return isLine && axis === row_axis ? row * wire.row_step : each;
  });
  const reply: PictureWire = {
    ...whole,
    form,
    index: moved,
    rows: isLine ? 1 : rows,
    tiles: 1,
    tile_axis: null,
    row_axis: isLine ? column_axis : row_axis,
    row_step: isLine ? 1 : wire.row_step,
    movable: [...(tile_axis === null ? [] : [tile_axis]), ...(isLine ? [row_axis] : [])],
    nans: count(cut, Number.isNaN),
    infs: count(cut, (value) => !Number.isNaN(value) && !Number.isFinite(value)),
  };
  return { reply, buffers: [bufferOf(cut)] };
}

/** Those that can be made of what there is. */
function formsOf({ form, forms, rows }: PictureWire): Form[] {
  return forms.filter((each) => {
    if (each === form) return true;
    // Of the ends of stretches no single value is known, and a vector is not wrapped anew.
    if (form === "line") return each === "table" && rows === 1;
    return each !== "grid";
  });
}

/** A vector from top to bottom. */
function asColumn(wire: PictureWire, form: Form): PictureWire {
  if (form !== "table" || wire.form !== "line") return { ...wire, form };
  return { ...wire, form, rows: wire.columns, columns: 1, row_step: wire.column_step, column_step: 1 };
}

/** What of the tensor was recorded, as one writes it in Python, where it is not the whole of it. */
function noteOf({ shape, index, tiles, note, ...wire }: PictureWire): string {
  const keys = shape.map((size, axis) => {
    const from = index[axis] ?? 0;
    if (axis === wire.tile_axis) return tiles < size ? `${from}:${from + tiles}` : ":";
    return axis === wire.row_axis || axis === wire.column_axis || size === 1 ? ":" : String(from);
  });
  const part = keys.every((key) => key === ":") ? "" : `the recording has [${keys.join(", ")}]`;
  return [note, part].filter((each) => each !== "").join(" · ");
}

function bufferOf(values: Float32Array<ArrayBuffer>): DataView {
  const buffer = new DataView(new ArrayBuffer(values.byteLength));
  values.forEach((value, i) => {
    buffer.setFloat32(i * Float32Array.BYTES_PER_ELEMENT, value, true);
  });
  return buffer;
}

function count(values: Float32Array, is: (value: number) => boolean): number {
  return values.reduce((sum, value) => sum + (is(value) ? 1 : 0), 0);
}

function clamp(at: number, size: number): number {
  return Math.min(size - 1, Math.max(0, at));
}
