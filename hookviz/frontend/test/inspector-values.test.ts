import { expect, test, vi } from "vitest";
import { picture } from "./examples";
import { inspect, NODE, values } from "./inspecting";
import { frame } from "./views";

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

test("the axes for rows and columns can be exchanged", async () => {
  const { model, one } = await inspect();
  await model.answer("picture", picture, values(1, 2, 3, 4, 5, 6));

  const rows = one<HTMLSelectElement>('[data-role="row_axis"]');
  rows.value = "3";
  rows.dispatchEvent(new Event("input", { bubbles: true }));
  await frame();

  expect(model.commands("picture").at(-1)).toMatchObject({ row_axis: 3, column_axis: 2, index: [0, 3, 0, 0] });
});
