import { expect, test, vi } from "vitest";
import { LAST_CALL } from "../src/inspection";
import { inspection, picture, status } from "./examples";
import { FakeModel } from "./fake-model";
import { inspect, NODE, values } from "./inspecting";
import { frame, mount } from "./views";

test("with nothing selected it says what to do, and asks nothing", async () => {
  const { model, one } = await mount({ view: "inspector" });

  expect(one(".hv-empty").textContent).toBe("Click a module to look inside.");
  expect(model.sent).toEqual([]);
});

test("a selection is looked into", async () => {
  const { model, one, texts } = await inspect();

  expect(model.commands("inspect")).toHaveLength(1);
  expect(model.commands("inspect")[0]).toMatchObject({ node_id: NODE, call: LAST_CALL, tab: "output" });
  expect(one(".hv-title").textContent).toBe("layer1.conv1");
  expect(texts(".hv-statistics td")[0]).toBe("8 × 16 × 32 × 32");
  expect(texts(".hv-section small")).toContain("sampled 16,384 of 131,072");
  expect(texts(".hv-notes li")).toEqual(["input was not captured: inputs are switched off"]);
});

test("where one looks for what is switched off, it is said so", async () => {
  const { texts } = await inspect({ tab: "input", notes: [] });

  expect(texts(".hv-notes li")).toEqual(["Inputs are switched off here."]);
});

test("a module that is folded away is looked into all the same", async () => {
  const { model } = await mount({ view: "inspector", selected: "module:head.2" });

  expect(model.commands("inspect")[0]).toMatchObject({ node_id: "module:head.2" });
});

test("the tabs are those of the reply, and one of them is chosen", async () => {
  const { model, texts, click } = await inspect();

  expect(texts("[role=tab]")).toEqual(["Output", "Input", "Gradient", "Params", "Hooks", "History"]);
  expect(texts('[aria-selected="true"]')).toEqual(["Output"]);

  await click('[data-tab="gradient"]');
  expect(model.commands("inspect").at(-1)).toMatchObject({ tab: "grad_output" });
});

test("a key leads from a card to the chosen tab, as soon as there are tabs, and arrows to the others", async () => {
  const { model, one, press } = await mount();
  const tab = () => (document.activeElement as HTMLElement).dataset.tab;
  one(`[data-node="${NODE}"]`).focus();

  await press("i");
  await model.answer("inspect", inspection);
  expect(tab()).toBe("output");
  await press("ArrowRight");
  expect([tab(), model.commands("inspect").at(-1)?.tab]).toEqual(["input", "input"]);

  await model.answer("inspect", { ...inspection, tab: "input" });
  one(`[data-node="${NODE}"]`).focus();
  await press("i");
  expect(tab()).toBe("input");
});

test("an answer leaves the focus where it is when it is not on the pane", async () => {
  const { model, one } = await mount();
  const card = one(`[data-node="${NODE}"]`);
  card.focus();

  model.set("selected", NODE);
  await frame();
  await model.answer("inspect", inspection);

  expect(document.activeElement).toBe(card);
});

test("within the gradient tab one chooses that of the output or that of the input", async () => {
  const { model, one, click, texts } = await inspect({ tabs: ["output", "grad_output", "grad_input"] });
  expect(one(".hv-gradient-side").hidden).toBe(true);
  await click('[data-tab="gradient"]');
  expect(model.commands("inspect").at(-1)).toMatchObject({ tab: "grad_output" });
  await model.answer("inspect", { ...inspection, tabs: ["output", "grad_output", "grad_input"], tab: "grad_output" });

  await click('[data-side="grad_input"]');

  expect(model.commands("inspect").at(-1)).toMatchObject({ tab: "grad_input" });
  expect(texts('[aria-selected="true"]')).toEqual(["Gradient"]);
});

test("the chosen tab stays from node to node", async () => {
  const { model, click } = await inspect();
  await click('[data-tab="parameters"]');

  model.set("selected", "module:conv1");
  await frame();

  expect(model.commands("inspect").at(-1)).toMatchObject({ node_id: "module:conv1", tab: "parameters" });
});

test("of several calls the last one is opened, as on the card", async () => {
  const { model } = await inspect();

  expect(model.commands("inspect").at(-1)).toMatchObject({ call: LAST_CALL });
});

test("calls are walked through and end at the first and the last", async () => {
  const { model, one, click } = await inspect({ calls: 2 });

  expect(one(".hv-calls").textContent).toContain("call 1 of 2");
  expect(one('[aria-label="Previous call"]').hasAttribute("disabled")).toBe(true);

  await click('[aria-label="Next call"]');
  expect(model.commands("inspect").at(-1)).toMatchObject({ call: 1 });

  await model.answer("inspect", { ...inspection, calls: 2, call: 1 });
  expect(one('[aria-label="Next call"]').hasAttribute("disabled")).toBe(true);
});

test("of several tensors each is chosen by its name", async () => {
  const { texts, click, one } = await inspect();

  expect(texts(".hv-entry-label")).toEqual(["output", "output[1]", "output[2]"]);

  await click('[data-entry="2"]');
  expect(one(".hv-tensor .hv-reason").textContent).toBe("not a tensor: None");
  expect(one(".hv-tensor > :last-child").hidden).toBe(true);
});

test("a tensor that was not kept says why", async () => {
  const { model, click, one } = await inspect();
  const asked = model.commands("picture").length;

  await click('[data-entry="1"]');

  expect(one(".hv-values .hv-reason").textContent).toBe("not kept: over the memory limit");
  expect(one(".hv-tensor .hv-reason").textContent).toBe("int64: no standard deviation");
  expect(model.commands("picture")).toHaveLength(asked);
});

test("a new run is looked at with the same tab, call, tensor and axes", async () => {
  const { model, one } = await inspect();
  await model.answer("picture", picture, values(1, 2, 3, 4, 5, 6));
  const slider = one<HTMLInputElement>('input[type="range"][data-axis="0"]');
  slider.value = "5";
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  await frame();

  model.set("status", { ...status, step: 413 });
  await vi.waitFor(() => expect(model.commands("inspect")).toHaveLength(2));
  expect(model.commands("inspect").at(-1)).toMatchObject({ node_id: NODE, call: LAST_CALL, tab: "output" });

  await model.answer("inspect", { ...inspection, step: 413 });
  expect(one(".hv-calls").textContent).toContain("step 413");
  expect(model.commands("picture").at(-1)).toMatchObject({ index: [5, 3, 0, 0] });
});

test("many updates within half a second are one question", async () => {
  const { model } = await inspect();
  await new Promise((resolve) => setTimeout(resolve, 550));
  const asked = model.commands("inspect").length;

  for (let step = 413; step < 433; step += 1) model.set("status", { ...status, step });
  await new Promise((resolve) => setTimeout(resolve, 100));

  expect(model.commands("inspect").length - asked).toBe(1);
});

test("the Python expression of the shown tensor is there to copy", async () => {
  const { one } = await inspect();

  expect(one(".hv-code code").textContent).toBe('session["layer1.conv1"].output.tensor');
});

test("a name with markup in it stays text", async () => {
  const { el, one } = await inspect({ path: "<img src=x onerror=alert(1)>", notes: ["<b>bold</b>"] });

  expect(one(".hv-title").textContent).toBe("<img src=x onerror=alert(1)>");
  expect(el.querySelector("img, .hv-notes b")).toBeNull();
});

test("a view without a kernel keeps the last answer and asks nothing", async () => {
  const view = await mount({ view: "inspector", selected: NODE }, new FakeModel());
  view.el.classList.add("jupyter-widgets-disconnected");
  await frame();
  const asked = view.model.sent.length;

  view.model.set("selected", "module:conv1");
  await frame();

  expect(view.model.sent).toHaveLength(asked);
  expect(view.one(".hv-empty").textContent).toBe("There is no kernel to look inside.");
  expect(view.one(".hv-notice").textContent).toBe("no kernel: the last state is shown");
});

test("what the call took stands below its number, and why something is not known in its hover", async () => {
  const { texts, el } = await inspect();

  expect(texts(".hv-costs b")).toEqual(["1.2 ms (own 0.3 ms)", "–"]);
  expect([...el.querySelectorAll<HTMLElement>(".hv-costs > span")].map(({ title }) => title)).toEqual([
    "wall-clock time",
    "no backward yet",
  ]);
});
