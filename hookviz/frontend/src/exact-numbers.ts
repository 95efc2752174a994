/** A number to its last digit, in as few digits as say which one it is. */

const MOST_DIGITS = 9;

/**
 * The shortest text that reads back as the same float32 (or float64) number.
 *
 * Nine significant digits are enough for any float32: IEEE 754-2019, 5.12.2.
 */
export function exactText(value: number, isWide: boolean): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (isWide || Number.isSafeInteger(value)) return String(value);
  for (let digits = 1; digits < MOST_DIGITS; digits += 1) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return plain(text);
  }
  return plain(value.toPrecision(MOST_DIGITS));
}

/** Without an exponent where that is no longer, as JavaScript and Python write it. */
function plain(text: string): string {
  return String(Number(text));
}
