import { expect, test } from "vitest";
import { exactText } from "../src/exact-numbers";

test.each([
  [Math.fround(0.1), "0.1"],
  [Math.fround(1 / 3), "0.33333334"],
  [Math.fround(-1.5e-8), "-1.5e-8"],
  [Math.fround(16777215), "16777215"],
  [3.4028234663852886e38, "3.4028235e+38"],
  [0, "0"],
  [Number.NaN, "nan"],
  [Number.NEGATIVE_INFINITY, "-inf"],
])("float32 %d is %s: no more digits than it takes", (value, text) => {
  expect(exactText(value, false)).toBe(text);
});

test("the text of any float32 number reads back as that number", () => {
  const bits = new DataView(new ArrayBuffer(4));
  for (let i = 0; i < 2000; i += 1) {
    bits.setUint32(0, (i * 2_147_483) % 2 ** 32);
    const value = bits.getFloat32(0);
    if (Number.isFinite(value)) expect(Math.fround(Number(exactText(value, false)))).toBe(value);
  }
});

test("float64 numbers keep all their digits", () => {
  expect(exactText(0.1 + 0.2, true)).toBe("0.30000000000000004");
  expect(exactText(2 ** 53, true)).toBe("9007199254740992");
});
