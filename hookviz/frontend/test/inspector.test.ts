import { expect, test, vi } from "vitest";
import { LAST_CALL } from "../src/inspection";
import type { InspectionWire } from "../src/wire";
import { inspection, picture, status } from "./examples";
import { FakeModel } from "./fake-model";
import { frame, type Mounted, mount } from "./views";

const NODE = "module:layer1.conv1";

function values(...numbers: number[]): DataView[] {
  return [new DataView(new Float32Array(numbers).buffer)];
}

async function inspect(reply: Partial<InspectionWire> = {}): Promise<Mounted> {
  const view = await mount({ view: "inspector", selected: NODE });
  await view.model.answer("inspect", { ...inspection, ...reply });
  await frame();
  return view;
}

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

test("a kept tensor is asked for as a picture, whose axes can be chosen", async () => {
  const { model, one } = await inspect();
  expect(model.commands("picture")[0]).toMatchObject({ node_id: NODE, call: 0, tab: "output", entry: 0 });

  await model.answer("picture", picture, values(1, 2, 3, 4, 5, 6));
  expect(one(".hv-heat").getAttribute("aria-label")).toMatch(/^Heat map of 2 by 3 values/);
  expect(one<HTMLInputElement>('input[type="number"][data-axis="1"]').value).toBe("3");

  const slider = one<HTMLInputElement>('input[type="range"][data-axis="0"]');
  slider.value = "5";
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  await frame();

  expect(model.commands("picture").at(-1)).toMatchObject({ row_axis: 2, column_axis: 3, index: [5, 3, 0, 0] });
});

test("the value of a cell is read out", async () => {
  const { model, one, press } = await inspect();
  await model.answer("picture", { ...picture, nans: 1 }, values(1, 2, 3, 4, 5, Number.NaN));

  one(".hv-heat").focus();
  for (const key of ["ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight"]) await press(key);

  expect(one(".hv-reading").textContent).toBe("[0, 3, 1, 2] = NaN");
  expect([one(".hv-legend-low").textContent, one(".hv-legend-high").textContent]).toEqual(["1", "5"]);
  expect(one(".hv-bad > span").textContent).toBe("1 NaN");
});

test("a tile of a grid is enlarged by Enter, and the grid is a click away", async () => {
  const { model, one, press, click } = await inspect();
  const grid = { ...picture, form: "grid", tile_axis: 1, tiles: 2, index: [0, 0, 0, 0] };
  await model.answer("picture", grid, values(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));

  one(".hv-heat").focus();
  for (const key of ["ArrowDown", "ArrowDown", "ArrowDown"]) await press(key);
  expect(one(".hv-reading").textContent).toBe("[0, 1, 0, 0] = 7");
  await press("Enter");
  expect(model.commands("picture").at(-1)).toMatchObject({ form: "matrix", index: [0, 1, 0, 0] });

  await model.answer("picture", { ...picture, index: [0, 1, 0, 0] }, values(7, 8, 9, 10, 11, 12));
  expect(one(".hv-code code").textContent).toBe('session["layer1.conv1"].output.tensor[0, 1].abs()');
  await click('[data-form="grid"]');
  expect(model.commands("picture").at(-1)).toMatchObject({ form: "grid", index: [0, 1, 0, 0] });
});

test("numbers are copied from a table, and it is said how many", async () => {
  const written = vi.fn();
  vi.stubGlobal("navigator", { ...navigator, clipboard: { writeText: written } });
  const { model, one, click } = await inspect();
  const table = { ...picture, form: "table", part: null, index: [0, 3, 0, 0] };
  await model.answer("picture", table, values(1, 2, 3, 4, 5, 0.1));

  expect(one(".hv-table tbody").textContent).toBe("0123" + "1450.100");
  await click(".hv-table-head button");

  expect(written).toHaveBeenCalledWith("1\t2\t3\n4\t5\t0.1\n");
  expect(one(".hv-table-head output").textContent).toBe("Copied 6 of the tensor's 768 numbers.");
  vi.unstubAllGlobals();
});

test("a NaN in another slice is told, and a click goes there", async () => {
  const { model, one, click } = await inspect();
  await model.answer("picture", { ...picture, first_bad: [5, 3, 1, 2] }, values(1, 2, 3, 4, 5, 6));

  expect(one(".hv-bad").textContent).toBe("NaN or Inf elsewhereGo to [5, 3, 1, 2]");
  await click(".hv-bad button");

  expect(model.commands("picture").at(-1)).toMatchObject({ form: "matrix", index: [5, 3, 1, 2] });
});

test("what cannot be drawn says why", async () => {
  const { model, one } = await inspect();
  const id = model.commands("picture").at(-1)?.id;

  model.fire("msg:custom", { id, error: "A nested tensor has no 2-d slice." });
  await frame();

  expect(one(".hv-values .hv-reason").textContent).toBe("A nested tensor has no 2-d slice.");
});

test("a single number is read out without being pointed at", async () => {
  const { model, one } = await inspect();
  const number = {
    ...picture,
    rows: 1,
    columns: 1,
    shape: [],
    index: [],
    axis_names: [],
    forms: ["matrix"],
    part: null,
  };
  await model.answer("picture", number, values(0.1));

  expect(one(".hv-heat-box .hv-reading").textContent).toBe("value = 0.1");
  expect(one(".hv-form-bar").hidden).toBe(true);
});

test("a vector is a curve whose values the arrow keys read", async () => {
  const { model, one, press } = await inspect();
  const line = { ...picture, form: "line", rows: 1, shape: [3], row_axis: 0, column_axis: 0, index: [0], part: null };
  await model.answer("picture", line, values(1, -0.5, 3));

  one(".hv-line-stage").focus();
  await press("ArrowRight");
  await press("ArrowRight");

  expect(one(".hv-line-box .hv-reading").textContent).toBe("[1] = −0.5");
  expect(one(".hv-heat-box").hidden).toBe(true);
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

test("the axes for rows and columns can be exchanged", async () => {
  const { model, one } = await inspect();
  await model.answer("picture", picture, values(1, 2, 3, 4, 5, 6));

  const rows = one<HTMLSelectElement>('[data-role="row_axis"]');
  rows.value = "3";
  rows.dispatchEvent(new Event("input", { bubbles: true }));
  await frame();

  expect(model.commands("picture").at(-1)).toMatchObject({ row_axis: 3, column_axis: 2, index: [0, 3, 0, 0] });
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
