/** Between which values colours differ: by percentiles of what is drawn, so that one outlier does not hide the rest. */

export interface ValueRange {
  low: number;
  high: number;
  /** Colours then go to either side of zero, which is in the middle of the range. */
  isSigned: boolean;
  /** How many finite values lie outside. */
  clipped: number;
}

/** Shares of the values that may be clipped at either end, in percent. */
export const CLIPS = [0, 1, 5] as const;
export type Clip = (typeof CLIPS)[number];

export function valueRange(values: ArrayLike<number>, clip: Clip): ValueRange {
  const finite = Float64Array.from(Array.prototype.filter.call(values, Number.isFinite) as number[]).sort();
  const [least = 0] = finite;
  const greatest = finite.at(-1) ?? 0;
  const isSigned = least < 0;
  const [low, high] = clipped(finite, clip / 100);
  if (isSigned) {
    // Where both percentiles are zero, as of a sparse gradient, the few other values still have to be seen.
    const reach = Math.max(-low, high) || Math.max(-least, greatest) || 1;
    return { low: -reach, high: reach, isSigned, clipped: outside(finite, -reach, reach) };
  }
  if (high > low) return { low, high, isSigned, clipped: outside(finite, low, high) };
  if (greatest > least) return { low: least, high: greatest, isSigned, clipped: 0 };
  return { low: 0, high: greatest || 1, isSigned, clipped: 0 };
}

/** The ends that leave out at most this share on either side. */
function clipped(sorted: Float64Array, share: number): [low: number, high: number] {
  const skipped = Math.floor(share * (sorted.length - 1));
  return [sorted[skipped] ?? 0, sorted.at(-1 - skipped) ?? 0];
}

function outside(values: Float64Array, low: number, high: number): number {
  return values.reduce((count, value) => count + (value < low || value > high ? 1 : 0), 0);
}
