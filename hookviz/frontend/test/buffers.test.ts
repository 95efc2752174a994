import { expect, test } from "vitest";
import { floats } from "../src/buffers";

test("floats are read wherever they lie in the message", () => {
  const bytes = new Uint8Array([9, 0, 0, 128, 63, 0, 0, 192, 127, 0, 0, 128, 255]);

  expect([...floats(new DataView(bytes.buffer, 1))]).toEqual([1, Number.NaN, Number.NEGATIVE_INFINITY]);
});
