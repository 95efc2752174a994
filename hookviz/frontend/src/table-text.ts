/** A page of numbers as a spreadsheet takes it: exact, with tabs between columns and a line for each row. */

import { exactText } from "./exact-numbers";
import { type Picture, valuesAt } from "./picture";

const THREE_DIGITS = 3;

export function tableText(shown: Picture, dtype: string): string {
  const { rows, columns } = shown.wire;
  const lines = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => {
      const [value = Number.NaN] = valuesAt(shown, { tile: 0, row, column });
      return cellText(value, shown, dtype);
    }).join("\t"),
  );
  return `${lines.join("\n")}\n`;
}

function cellText(value: number, { wire }: Picture, dtype: string): string {
  if (dtype === "bool" && Number.isFinite(value)) return value === 0 ? "False" : "True";
  if (wire.is_rounded && Number.isFinite(value)) return String(Number(value.toPrecision(THREE_DIGITS)));
  return exactText(value, wire.is_wide);
}
