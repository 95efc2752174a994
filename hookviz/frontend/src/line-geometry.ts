/** Where the curve of a row of values lies, with gaps where there is no number. */

import type { Picture } from "./picture";
import { unbroken } from "./unbroken";

export interface Curve {
  /** Path data: a line, or a band between the least and the greatest of each stretch. */
  path: string;
  isBand: boolean;
  /** From the left, where values stand that are no numbers. */
  marks: number[];
  low: number;
  high: number;
  /** From the top; null where zero lies outside. */
  zero: number | null;
}

interface Size {
  width: number;
  height: number;
}

/** Place of one of `count` values from the left; a single one stands in the middle. */
export function pointPosition(point: number, count: number, width: number): number {
  return count > 1 ? (point / (count - 1)) * width : width / 2;
}

/** The value nearest to a place given as a share of the width. */
export function pointAt(across: number, count: number): number {
  return Math.min(count - 1, Math.max(0, Math.round(across * (count - 1))));
}

export function curveOf({ wire, values }: Picture, { width, height }: Size): Curve {
  const count = wire.columns;
  const least = values.subarray(0, count);
  const greatest = wire.rows > 1 ? values.subarray(count) : least;
  const finite = [...values].filter(Number.isFinite);
  const low = finite.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const high = finite.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const down = (value: number) => (high > low ? height - ((value - low) / (high - low)) * height : height / 2);
  const point = (i: number, value: number) => `${pointPosition(i, count, width).toFixed(1)} ${down(value).toFixed(1)}`;
  const pieces = unbroken(least);
  const isBand = wire.rows > 1;
  return {
    path: pieces
      .map((piece) => {
        const there = piece.map((i) => point(i, greatest[i] ?? 0));
        if (isBand) return `M${[...there, ...piece.toReversed().map((i) => point(i, least[i] ?? 0))].join("L")}Z`;
        // A piece of one point is a dot: a line of no length with round ends.
        return `M${[...there, ...(there.length === 1 ? there : [])].join("L")}`;
      })
      .join(""),
    isBand,
    marks: [...least].flatMap((value, i) => (Number.isFinite(value) ? [] : [pointPosition(i, count, width)])),
    low,
    high,
    zero: low <= 0 && high >= 0 && high > low ? down(0) : null,
  };
}
