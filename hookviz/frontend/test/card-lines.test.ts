import { expect, test } from "vitest";
import example from "../../../tests/wire/card_lines.json";
import { CardLineReader, threeDigits } from "../src/card-lines";
import type { CardWordsWire, GraphWire, NodeDataWire } from "../src/graph-wire";
import { graph as anyGraph, nodeData } from "./examples";

const WORDS: Record<string, CardWordsWire> = example.node_data;
const LINES = example.lines as Record<string, NodeDataWire>;
const last = example.ids.length - 1;
const GRAPH = {
  ...anyGraph,
  nodes: example.ids.slice(0, last).map((id) => ({ id })),
  groups: example.ids.slice(last).map((id) => ({ id })),
} as GraphWire;

function rows(): DataView {
  return new DataView(Uint8Array.from(atob(example.numbers), (letter) => letter.charCodeAt(0)).buffer);
}

test("the lines are those that Python writes", () => {
  const lines = new CardLineReader().read(GRAPH, rows(), WORDS);

  for (const [id, expected] of Object.entries(LINES)) expect([id, lines[id]]).toEqual([id, expected]);
});

test("a node of which nothing is known is blank", () => {
  const lines = new CardLineReader().read(GRAPH, rows(), WORDS);

  expect(lines["input:x"]).toEqual({ state: "idle", spark: "", value: "", gradient: "", trouble: "", note: "" });
});

test("lines that stay are the same objects, those that change are not", () => {
  const reader = new CardLineReader();
  const before = reader.read(GRAPH, rows(), WORDS);
  const numbers = rows();
  numbers.setFloat64(10, 7, true);

  const after = reader.read(GRAPH, numbers, { ...WORDS, "module:off": { note: "paused" } });

  expect(after["module:usual"]?.value).toBe("+7.00e+00 ±5.70e-01");
  expect(after["module:off"]).toEqual({ ...before["module:off"], note: "paused" });
  expect(after["module:ties"]).toBe(before["module:ties"]);
});

test("nothing is read twice", () => {
  const reader = new CardLineReader();
  const numbers = rows();

  const before = reader.read(GRAPH, numbers, WORDS);

  expect(reader.read(GRAPH, numbers, WORDS)).toBe(before);
});

test("a recording has all lines as words", () => {
  const lines = new CardLineReader().read(anyGraph, undefined, nodeData);

  expect(lines).toEqual(nodeData);
});

test("rows of another graph are not taken for those of this one", () => {
  const reader = new CardLineReader();
  reader.read(GRAPH, rows(), WORDS);

  const lines = reader.read({ ...GRAPH, nodes: [...GRAPH.nodes].reverse() }, rows(), {});

  expect(lines["input:x"]?.value).toBe("+1.20e-02 ±5.70e-01");
});

test.each([
  [0.005, "5.00e-03"],
  [1.125, "1.12e+00"],
  [1.375, "1.38e+00"],
  [-1.625, "-1.62e+00"],
  // No tie: the number is a little above what is written here.
  [0.1125, "1.13e-01"],
  [1e22, "1.00e+22"],
  [1e-300, "1.00e-300"],
  [9.999, "1.00e+01"],
])("%d is written as Python does: %s", (value, expected) => {
  expect(threeDigits(value)).toBe(expected);
});
