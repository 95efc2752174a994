/** Where the lines of a history lie: runs to the right, values upwards, with gaps where there is no number. */

import { unbroken } from "./unbroken";

export interface Line {
  steps: Float64Array;
  values: Float64Array;
  /** Half the height of the band around the line; null where there is none. */
  spread: Float64Array | null;
}

export interface Plot {
  /** Path data of the line, with a gap at each value that is no number. */
  line: string;
  band: string;
  /** Where values that are no numbers stand, from the left. */
  marks: number[];
  /** Ends of what is drawn, values with their band. */
  low: number;
  high: number;
}

/** Where a step lies from the left; a single one in the middle. */
export function stepPosition(step: number, [first, last]: readonly [number, number], width: number): number {
  return last > first ? ((step - first) / (last - first)) * width : width / 2;
}

export type Bounds = readonly [low: number, high: number];

/** Ends of all finite values with their bands; the low end is above the high one where there are none. */
export function boundsOf(lines: readonly Line[]): Bounds {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const { values, spread } of lines) {
    values.forEach((value, i) => {
      if (!Number.isFinite(value)) return;
      low = Math.min(low, value - sizeAt(spread, i));
      high = Math.max(high, value + sizeAt(spread, i));
    });
  }
  return [low, high];
}

function sizeAt(spread: Float64Array | null, i: number): number {
  const size = spread?.[i] ?? 0;
  return Number.isFinite(size) ? size : 0;
}

/** The line in powers of ten; null where a value is not above 0, and so has no logarithm. */
export function inPowers(line: Line): Line | null {
  if (line.values.some((value) => value <= 0)) return null;
  return { ...line, values: line.values.map(Math.log10), spread: null };
}

/** Fits a line with its band into a box, together with others of the same bounds. */
export function plotOf(
  line: Line,
  range: readonly [number, number],
  width: number,
  height: number,
  [low, high]: Bounds = boundsOf([line]),
): Plot {
  const { steps, values, spread } = line;
  const y = (value: number): string =>
    (high > low ? height - ((value - low) / (high - low)) * height : height / 2).toFixed(1);
  const x = (i: number): string => stepPosition(steps[i] ?? 0, range, width).toFixed(1);
  const pieces = unbroken(values);
  const point = (i: number, value: number): string => `${x(i)} ${y(value)}`;
  return {
    // A piece of one point is a dot: a line of no length with round ends.
    line: pieces
      .map(
        (piece) =>
          `M${[...piece, ...piece.slice(0, piece.length === 1 ? 1 : 0)].map((i) => point(i, values[i] ?? 0)).join("L")}`,
      )
      .join(""),
    band:
      spread === null
        ? ""
        : pieces
            .filter((piece) => piece.length > 1)
            .map((piece) => {
              const above = piece.map((i) => point(i, (values[i] ?? 0) + sizeAt(spread, i)));
              const below = piece.toReversed().map((i) => point(i, (values[i] ?? 0) - sizeAt(spread, i)));
              return `M${[...above, ...below].join("L")}Z`;
            })
            .join(""),
    marks: [...values].flatMap((value, i) =>
      Number.isFinite(value) ? [] : [stepPosition(steps[i] ?? 0, range, width)],
    ),
    low,
    high,
  };
}

/** The index of the step that lies nearest to a place between the first and the last of them. */
export function nearest(steps: Float64Array, step: number): number {
  let best = 0;
  steps.forEach((each, i) => {
    if (Math.abs(each - step) < Math.abs((steps[best] ?? 0) - step)) best = i;
  });
  return best;
}
