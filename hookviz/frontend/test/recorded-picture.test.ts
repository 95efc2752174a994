import { describe, expect, test } from "vitest";
import { floats } from "../src/buffers";
import type { PictureWire, Slice } from "../src/picture-wire";
import { recordedBlock } from "../src/recorded-picture";
import type { RecordedPictureWire } from "../src/recording-wire";
import { wire } from "./blocks";

/** 0, 1, 2, ... as a recording writes them: whole numbers below 2048 are exact in 16 bits. */
function recorded(changes: Partial<PictureWire>, count: number): RecordedPictureWire {
  const halves = new DataView(new ArrayBuffer(2 * count));
  for (let i = 0; i < count; i += 1) halves.setUint16(2 * i, bitsOf(i), true);
  const bytes = [...new Uint8Array(halves.buffer)].map((byte) => String.fromCharCode(byte)).join("");
  return { ...wire({ is_rounded: true, ...changes }), scale: 1, values: btoa(bytes) };
}

function bitsOf(value: number): number {
  if (value === 0) return 0;
  const exponent = Math.floor(Math.log2(value));
  return ((exponent + 15) << 10) | ((value / 2 ** exponent - 1) * 1024);
}

function ask(block: RecordedPictureWire, slice: Slice): [PictureWire, number[]] {
  const { reply, buffers } = recordedBlock(block, slice);
  const [buffer] = buffers;
  return [reply, buffer === undefined ? [] : [...floats(buffer)]];
}

describe("a recorded grid", () => {
  const grid = recorded(
    {
      form: "grid",
      forms: ["matrix", "grid", "line", "table"],
      shape: [8, 100, 4, 6],
      tile_axis: 1,
      tiles: 3,
      rows: 2,
      columns: 3,
      row_step: 2,
      column_step: 2,
    },
    18,
  );

  test("opens as it is, and says what of the tensor it is", () => {
    const [reply, values] = ask(grid, {});

    expect([reply.form, reply.tiles, reply.movable]).toEqual(["grid", 3, []]);
    expect(reply.note).toBe("the recording has [0, 0:3, :, :]");
    expect(values).toHaveLength(18);
  });

  test("gives each of its tiles as a matrix, and the last one for those that it lacks", () => {
    const [reply, values] = ask(grid, { form: "matrix", index: [0, 1, 0, 0] });

    expect([reply.form, reply.tiles, reply.tile_axis, reply.index]).toEqual(["matrix", 1, null, [0, 1, 0, 0]]);
    expect(values).toEqual([6, 7, 8, 9, 10, 11]);
    expect(ask(grid, { form: "matrix", index: [0, 99, 0, 0] })[0].index).toEqual([0, 2, 0, 0]);
    expect(reply.movable).toEqual([1]);
  });

  test("gives each of its rows as a line", () => {
    const [reply, values] = ask(grid, { form: "line", index: [0, 2, 3, 0] });

    expect([reply.row_axis, reply.column_axis, reply.index]).toEqual([3, 3, [0, 2, 2, 0]]);
    expect(values).toEqual([15, 16, 17]);
    expect(reply.movable).toEqual([1, 2]);
  });

  test("gives its numbers as a table", () => {
    const [reply, values] = ask(grid, { form: "table" });

    expect([reply.form, reply.rows, reply.columns]).toEqual(["table", 2, 3]);
    expect(values).toEqual([0, 1, 2, 3, 4, 5]);
  });
});

describe("a recorded line", () => {
  const line: Partial<PictureWire> = { form: "line", forms: ["line", "matrix", "table"], row_axis: 0, column_axis: 0 };

  test("can be read as a table, but is not wrapped anew", () => {
    const vector = recorded({ ...line, shape: [4], rows: 1, columns: 4 }, 4);

    const [reply, values] = ask(vector, { form: "table" });

    expect(reply.forms).toEqual(["line", "table"]);
    expect([reply.rows, reply.columns]).toEqual([4, 1]);
    expect(values).toEqual([0, 1, 2, 3]);
  });

  test("of stretches has no single numbers to tabulate", () => {
    const long = recorded({ ...line, shape: [4096], rows: 2, columns: 1024, column_step: 4 }, 2048);

    expect(ask(long, { form: "table" })[0]).toMatchObject({ form: "line", forms: ["line"] });
  });
});

test("a whole matrix says nothing of slices", () => {
  expect(ask(recorded({ forms: ["matrix", "line", "table"] }, 6), {})[0].note).toBe("");
});
