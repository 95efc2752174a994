/** What crosses to draw the values of a tensor: the types of `hookviz/widget/picture_wire.py`, spelled alike. */

export type Form = "matrix" | "grid" | "line" | "table";
export type Part = "magnitude" | "real" | "imag" | "angle";

/** Reply to `picture`: a block of values; see Python's for the order in which they come. */
export interface PictureWire {
  form: Form;
  forms: Form[];
  rows: number;
  columns: number;
  tiles: number;
  row_axis: number;
  column_axis: number;
  tile_axis: number | null;
  color_axis: number | null;
  /** One position per axis; along an axis that is shown, where the block begins. */
  index: number[];
  shape: number[];
  axis_names: string[];
  row_step: number;
  column_step: number;
  is_wide: boolean;
  is_rounded: boolean;
  nans: number;
  infs: number;
  /** Where in the whole tensor the first NaN or infinity stands. */
  first_bad: number[] | null;
  part: Part | null;
  note: string;
  /** Of a recording: the axes along which it has more than is shown; absent where it is not one. */
  movable?: readonly number[];
}

/** A block to ask for; what is absent is chosen by Python. */
export interface Slice {
  form?: Form;
  row_axis?: number;
  column_axis?: number;
  tile_axis?: number;
  color_axis?: number;
  index?: number[];
  part?: Part;
}
