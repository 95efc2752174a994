/** Blocks of values as Python sends them. */

import type { Picture } from "../src/picture";
import type { PictureWire } from "../src/picture-wire";
import { picture } from "./examples";

/** A matrix, plain where nothing else is said. */
export function wire(changes: Partial<PictureWire> = {}): PictureWire {
  const shape = changes.shape ?? [2, 3];
  const plain: Partial<PictureWire> = {
    form: "matrix",
    row_axis: Math.max(0, shape.length - 2),
    column_axis: Math.max(0, shape.length - 1),
    index: shape.map(() => 0),
    axis_names: shape.map(() => ""),
    first_bad: null,
    part: null,
    note: "",
  };
  return { ...picture, shape, ...plain, ...changes };
}

export function block(changes: Partial<PictureWire>, values: number[]): Picture {
  return { wire: wire(changes), values: Float32Array.from(values) };
}
