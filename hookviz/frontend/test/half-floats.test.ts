import { expect, test } from "vitest";
import { floatsOfHalves, halfToNumber } from "../src/half-floats";

test.each([
  [0x0000, 0],
  [0x3c00, 1],
  [0xc000, -2],
  [0x3555, 0.333251953125],
  // The largest number, the smallest normal one, the smallest of all.
  [0x7bff, 65504],
  [0x0400, 2 ** -14],
  [0x0001, 2 ** -24],
  [0x7c00, Number.POSITIVE_INFINITY],
  [0xfc00, Number.NEGATIVE_INFINITY],
  [0x7e00, Number.NaN],
])("the bits %i are the number %d", (bits, number) => {
  expect(halfToNumber(bits)).toBe(number);
});

test("a text of halves becomes the buffer of scaled float32 that Python sends", () => {
  // 1, -2, least significant byte first.
  const text = btoa(String.fromCharCode(0x00, 0x3c, 0x00, 0xc0));

  const buffer = floatsOfHalves(text, 10);

  expect([buffer.byteLength, buffer.getFloat32(0, true), buffer.getFloat32(4, true)]).toEqual([8, 10, -20]);
});
