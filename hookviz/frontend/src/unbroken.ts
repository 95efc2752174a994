/** Where a curve goes on and where it has a gap. */

/** The indices of finite values, in pieces between those that are not. */
export function unbroken(values: Float32Array | Float64Array): number[][] {
  const pieces: number[][] = [[]];
  values.forEach((value, i) => {
    if (Number.isFinite(value)) pieces.at(-1)?.push(i);
    else pieces.push([]);
  });
  return pieces.filter((piece) => piece.length > 0);
}
