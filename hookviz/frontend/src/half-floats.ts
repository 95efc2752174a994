/** Numbers of 16 bits, which browsers read by themselves only since 2025. */

const EXPONENT = 0x1f;
const FRACTION = 0x3ff;

/** IEEE 754-2019, 3.4: one sign bit, five of the exponent with a bias of 15, ten of the fraction. */
export function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & EXPONENT;
  const fraction = bits & FRACTION;
  if (exponent === EXPONENT) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** The float16 numbers of a base64 text, times `scale`, as the float32 buffer that Python would have sent. */
export function floatsOfHalves(base64: string, scale: number): DataView {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const halves = new DataView(bytes.buffer);
  const count = bytes.length / 2;
  const floats = new DataView(new ArrayBuffer(4 * count));
  for (let i = 0; i < count; i += 1)
    floats.setFloat32(4 * i, halfToNumber(halves.getUint16(2 * i, true)) * scale, true);
  return floats;
}
