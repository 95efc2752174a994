import { expect, test } from "vitest";
import { graph } from "./examples";
import { mount } from "./views";

const CONV1 = '[data-node="module:conv1"]';

test("the button and a key let data flow the other way", async () => {
  const { model, one, click, press } = await mount({ view: "diagram" });

  await click('[aria-label^="Data flows down"]');
  model.set("graph", { ...graph, direction: "LR" });
  expect(one('[aria-label^="Data flows to the right"]').textContent).toBe("→");
  one(CONV1).focus();
  await press("t");

  expect(model.commands("direction").map(({ direction }) => direction)).toEqual(["LR", "TB"]);
});

test("Backspace, Alt with the left arrow and the button lead back, where there is a way", async () => {
  const { model, one, click, press } = await mount({ view: "diagram" });
  one(CONV1).focus();

  await press("Backspace");
  expect(model.commands("back")).toEqual([]);
  expect(one(".hv-back").hidden).toBe(true);

  model.set("graph", { ...graph, leads_back: true });
  await press("Backspace");
  await press("ArrowLeft", { altKey: true });
  await click(".hv-back");

  expect(model.commands("back")).toHaveLength(3);
});

test("a recording cannot be turned", async () => {
  const { one, model } = await mount({ view: "diagram" });

  model.set("status", { ...model.traits.status, state: "recorded" });

  expect(one('[aria-label^="Data flows"]').hidden).toBe(true);
});

test("zooming to the selection needs one", async () => {
  const { one, model } = await mount({ view: "diagram", selected: "" });
  const button = one<HTMLButtonElement>('[aria-label="Zoom to the selection"]');

  expect(button.disabled).toBe(true);
  model.set("selected", "module:conv1");
  expect(button.disabled).toBe(false);
});
