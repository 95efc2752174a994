import { expect, test } from "vitest";
import { graph, status } from "./examples";
import { mount } from "./views";

test("the path leads from the model to what is selected, and each part of it can be selected", async () => {
  const { model, texts, click } = await mount({ view: "diagram", selected: "module:layer1.conv1" });

  expect(texts(".hv-breadcrumb li")).toEqual([status.name, "layer1", "conv1"]);
  await click('[data-crumb="module:layer1"]');
  expect(model.traits.selected).toBe("module:layer1");
  await click('[data-crumb="module:"]');

  expect(model.traits.selected).toBe("module:");
});

test("an operation stands in the container whose forward ran it", async () => {
  const add = { ...graph.nodes[0], id: "op:layer1:add:0", kind: "op", path: "layer1", name: "add" } as never;
  const { texts } = await mount({
    view: "diagram",
    graph: { ...graph, nodes: [...graph.nodes, add] },
    selected: "op:layer1:add:0",
  });

  expect(texts(".hv-breadcrumb li")).toEqual([status.name, "layer1", "add"]);
});

test("without a selection there is no path", async () => {
  const { one } = await mount({ view: "diagram", selected: "" });

  expect(one(".hv-breadcrumb nav").hidden).toBe(true);
});
