/** How a value of a picture is told in words. */

import { exactText } from "./exact-numbers";
import { formatNumber } from "./numbers";
import { type Cell, cellName, type Picture, valuesAt } from "./picture";
import type { PictureWire } from "./picture-wire";

/** `[0, 3, 1, 2] = −1.2345678`: the value to its last digit, or `≈` where only three are known. */
export function readingText(picture: Picture, cell: Cell, dtype: string): string {
  const values = valuesAt(picture, cell).map((value) => valueText(value, picture.wire, dtype));
  return `${cellName(cell, picture.wire)} ${picture.wire.is_rounded ? "≈" : "="} ${values.join(", ")}`;
}

export function valueText(value: number, wire: PictureWire, dtype: string): string {
  if (!Number.isFinite(value)) return formatNumber(value);
  if (dtype === "bool") return value === 0 ? "False" : "True";
  return wire.is_rounded ? formatNumber(value) : exactText(value, wire.is_wide).replaceAll("-", "−");
}

/** What of the tensor is drawn, where that is not plain: steps over many rows, a vector in several rows. */
export function sliceNote(wire: PictureWire): string {
  const parts = [wire.row_axis === wire.column_axis ? vectorNote(wire) : stepNote(wire), wire.part ?? "", wire.note];
  return parts.filter((part) => part !== "").join(" · ");
}

function vectorNote({ form, rows, columns, row_step, column_step }: PictureWire): string {
  if (form === "line" && rows > 1) return `least and greatest of every ${column_step} values`;
  if (form === "matrix" && rows > 1 && row_step > 1) return `${columns} in a row`;
  return column_step > 1 ? `every ${ordinal(column_step)} value` : "";
}

function stepNote({ row_step, column_step }: PictureWire): string {
  if (row_step === 1 && column_step === 1) return "";
  if (row_step === column_step) return `every ${ordinal(row_step)} row and column`;
  return [
    row_step > 1 ? `every ${ordinal(row_step)} row` : "",
    column_step > 1 ? `every ${ordinal(column_step)} column` : "",
  ]
    .filter((part) => part !== "")
    .join(", ");
}

function ordinal(count: number): string {
  const isTeen = count % 100 >= 11 && count % 100 <= 13;
  const ending = isTeen ? "th" : ({ 1: "st", 2: "nd", 3: "rd" }[count % 10] ?? "th");
  return `${count}${ending}`;
}

/** `3 NaN, 1 Inf`, with how many of them are not drawn; empty text where all is finite. */
export function badText({ wire, values }: Picture): string {
  const { nans, infs } = wire;
  if (nans + infs === 0) return "";
  const drawn = Array.prototype.filter.call(values, (value: number) => !Number.isFinite(value)).length;
  const hidden = nans + infs - drawn;
  const counts = [nans > 0 ? `${nans} NaN` : "", infs > 0 ? `${infs} Inf` : ""].filter((part) => part !== "");
  return counts.join(", ") + (hidden > 0 && wire.form !== "line" ? `, ${hidden} between what is drawn` : "");
}
