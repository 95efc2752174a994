import { expect, test } from "vitest";
import { describe, nameOf } from "../src/describe";
import type { NodeWire } from "../src/graph-wire";
import { graph, nodeData } from "./examples";

function node(id: string): NodeWire {
  const found = graph.nodes.find((each) => each.id === id);
  if (found === undefined) throw new Error(`The example has no node ${id}.`);
  return found;
}

test("a card is told with its values", () => {
  expect(describe(node("module:conv1"), nodeData["module:conv1"])).toBe(
    "conv1, Conv2d, 3→16 · 3×3 · 448 params, output +1.20e-02 ±5.70e-01, gradient 3.10e-03",
  );
});

test("a card that is off, called twice and in place says all of it", () => {
  expect(describe(node("module:layer1.act"), nodeData["module:layer1.act"])).toBe(
    "layer1.act, ReLU, called 2 times, last call shown, in place, capturing is off, outputs are switched off here",
  );
});

test("a folded container that failed tells its trouble", () => {
  expect(describe(node("module:head"), nodeData["module:head"])).toBe(
    "head, Sequential, folded, 3 modules · 170 params, failed, output +nan      ±nan, no backward, " +
      "NaN 12 of 80 · made here, no backward yet",
  );
});

test("an unfolded container says so", () => {
  const [group] = graph.groups;

  expect(group && describe(group, undefined)).toBe("layer1, ResBlock, unfolded");
});

test("what is no module is named by its kind", () => {
  expect(nameOf(node("op:layer1:add:0"))).toBe("operation add");
  expect(nameOf(node("input:x"))).toBe("input x");
  expect(nameOf(node("output"))).toBe("output");
});
