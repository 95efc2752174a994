import { effect } from "@preact/signals-core";
import { expect, test } from "vitest";
import { followTraits } from "../src/traits";
import { graph } from "./examples";
import { FakeModel } from "./fake-model";

test("a picture comes with its graph, whichever of the two is told first", () => {
  const model = new FakeModel();
  const traits = followTraits(model.asModel, new AbortController().signal);
  const seen: string[] = [];
  effect(() => {
    seen.push(`${traits.svg.value === "<svg/>" ? "new" : "old"} picture, ${traits.graph.peek().direction}`);
  });

  Object.assign(model.traits, { svg: "<svg/>", graph: { ...graph, direction: "LR" } });
  model.fire("change:svg");
  model.fire("change:graph");

  expect(seen).toEqual(["old picture, TB", "new picture, LR"]);
});
