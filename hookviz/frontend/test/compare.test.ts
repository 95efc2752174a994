import { expect, test, vi } from "vitest";
import { commonRange, densities, outline } from "../src/compare-histogram";
import { sharedRange, zeroCentred } from "../src/compare-pictures";
import { commonKind, comparedRows, differenceRows, isPinnedItself } from "../src/compare-text";
import type { DifferenceWire } from "../src/compare-wire";
import type { HistogramWire } from "../src/wire";
import { compared, inspection, picture, playback } from "./examples";
import { frame, mount } from "./views";

const DIFFERENCE = compared.difference as DifferenceWire;
const histogram = (low: number, high: number, ...counts: number[]): HistogramWire => ({
  low,
  high,
  counts,
  sampled: counts.reduce((sum, count) => sum + count, 0),
  of: 100,
});
const drawn = (...values: number[]) => ({ wire: picture, values: Float64Array.from(values) });

test("statistics stand side by side, and what both have in common stands once", () => {
  const rows = comparedRows(compared);

  expect(commonKind(compared)).toBe(`2 × 3 · ${compared.a_summary.dtype}`);
  expect(rows[0]).toEqual(["mean", "0.500", "0.250", "0.250"]);
  expect(rows.map(([name]) => name)).toEqual(["mean", "std", "min", "max", "‖·‖₂", "zeros"]);
});

test("other shapes and types have rows of their own", () => {
  const other = { ...compared, b_summary: { ...compared.b_summary, shape: [3], dtype: "float64", nans: 1 } };

  const rows = comparedRows(other);

  expect(commonKind(other)).toBe("");
  expect(rows.slice(0, 2)).toEqual([
    ["shape", "2 × 3", "3", ""],
    ["dtype", compared.a_summary.dtype, "float64", ""],
  ]);
  expect(rows.map(([name]) => name)).toContain("NaN");
});

test("the difference is told with its place and both values there", () => {
  expect(differenceRows(DIFFERENCE)).toEqual([
    ["values that differ", "2 of 6"],
    ["largest difference", "1.50"],
    ["at [1, 2]", "A 2 · B 0.5"],
    ["mean difference", "0.250"],
    ["relative difference", "0.600"],
    ["cosine similarity", "0.900000"],
  ]);
  expect(differenceRows({ ...DIFFERENCE, differing: 0 })).toEqual([["values", "all 6 are equal"]]);
  expect(differenceRows({ ...DIFFERENCE, index: null, not_finite: 6 })).toEqual([
    ["values that differ", "2 of 6"],
    ["left out", "6 NaN or Inf in A or B"],
  ]);
});

test("two histograms have one scale, whatever their ranges and sizes", () => {
  const range = commonRange([histogram(0, 1, 4, 4), histogram(-1, 3, 1, 1)]);

  expect(range).toEqual([-1, 3]);
  expect(densities(histogram(0, 1, 4, 4), range)).toEqual([4, 4]);
  expect(densities(histogram(-1, 3, 1, 1), range)).toEqual([1, 1]);
  expect(outline(histogram(0, 1, 4, 4), range, 4, 40, 10)).toBe("M10.0 10V0.0H15.0V0.0H20.0V10");
});

test("a tensor of one value is a narrow line", () => {
  const range = commonRange([histogram(2, 2, 5)]);

  expect(range).toEqual([0, 4]);
  expect(outline(histogram(2, 2, 5), range, 1000, 300, 10)).toMatch(/^M149\.0 10V.+H151\.0V10$/);
});

test("A and B have one range of colours, and the difference has zero in its middle", () => {
  expect(sharedRange([drawn(0, 1), drawn(0, 3)])).toMatchObject({ low: 0, high: 3, isSigned: false });
  expect(zeroCentred([drawn(0, 2)])).toMatchObject({ low: -2, high: 2, isSigned: true });
});

test("what is shown is no second value while it is what was pinned", () => {
  const pinned = { ...compared.a, node_id: inspection.node_id, call: inspection.call, step: inspection.step };

  expect(isPinnedItself({ ...pinned, tab: inspection.tab }, inspection, 0)).toBe(true);
  expect(isPinnedItself({ ...pinned, tab: inspection.tab }, inspection, 1)).toBe(false);
  expect(isPinnedItself({ ...pinned, tab: inspection.tab, step: inspection.step - 1 }, inspection, 0)).toBe(false);
});

const NODE = "module:layer1.conv1";
const SHOWN = { ...inspection, node_id: NODE, tab: "output" as const };

test("a value is pinned by a button, compared with the next one, swapped and let go", async () => {
  const { model, one, texts, click } = await mount({ selected: NODE, playback: { ...playback, pinned: null } });
  await model.answer("inspect", SHOWN);
  await frame();
  expect(one(".hv-compare-bar").hidden).toBe(true);

  await click(".hv-action-row > button");
  expect(model.commands("pin").at(-1)).toMatchObject({ node_id: NODE, tab: "output", entry: 0 });
  model.set("playback", { ...playback, pinned: compared.a });
  await frame();
  await vi.waitFor(() => expect(model.commands("compare").length).toBeGreaterThan(0));
  await model.answer(
    "compare",
    compared,
    [0, 1, 2].map((i) => new DataView(new ArrayBuffer(i < 2 ? 24 : 48))),
  );
  await frame();

  expect(texts(".hv-compare-place")).toEqual(["fc · output · step 120", "fc · output · step 480"]);
  expect(one(".hv-compare").hidden).toBe(false);
  expect(one(".hv-tensor").parentElement?.hidden).toBe(true);
  expect(texts(".hv-compare-map > figcaption")).toEqual(["A", "B", "A − B"]);
  await click(".hv-compare-buttons > :first-child");
  expect(model.commands("swap").at(-1)).toMatchObject({ node_id: NODE });
  await click(".hv-compare-buttons > :last-child");
  expect(model.commands("pin").at(-1)).toMatchObject({ node_id: "" });
});

test("where a compared value has a NaN elsewhere, its map says so and leads there", async () => {
  const { model, one, click } = await mount({ selected: NODE, playback: { ...playback, pinned: compared.a } });
  await model.answer("inspect", SHOWN);
  await frame();
  const [a, b, apart] = compared.pictures;
  await vi.waitFor(() => expect(model.commands("compare").length).toBeGreaterThan(0));
  await model.answer(
    "compare",
    {
      ...compared,
      pictures: [{ ...a, nans: 0, infs: 0, first_bad: null }, { ...b, nans: 0, infs: 0, first_bad: [1, 2] }, apart],
    },
    [0, 1, 2].map((i) => new DataView(new ArrayBuffer(i < 2 ? 24 : 48))),
  );
  await frame();

  expect(one(".hv-compare-map:nth-child(1) > .hv-bad").hidden).toBe(true);
  expect(one(".hv-compare-map:nth-child(2) > .hv-bad").textContent).toBe("NaN or Inf elsewhereGo to [1, 2]");
  await click(".hv-compare-map:nth-child(2) > .hv-bad > button");
  await frame();
  expect(model.commands("compare").at(-1)).toMatchObject({ node_id: NODE, index: [1, 2] });
});

test("the bar makes room for the hooks, and Escape ends the comparison before it closes the pane", async () => {
  const { model, one, el, press } = await mount({ selected: NODE, playback: { ...playback, pinned: compared.a } });
  await model.answer("inspect", SHOWN);
  await frame();
  const bar = one(".hv-compare-bar");
  const tab = (name: string) =>
    [...el.querySelectorAll<HTMLElement>("[role=tab]")].find((each) => each.textContent === name);
  tab("Hooks")?.click();
  await frame();
  expect(bar.hidden).toBe(true);
  tab("Output")?.click();
  await frame();
  expect(bar.hidden).toBe(false);

  one("[data-node][tabindex='0']").focus();
  await press("Escape");

  expect(model.commands("pin").at(-1)).toMatchObject({ node_id: "" });
  expect(model.get("selected")).toBe(NODE);
});

test("why there is no comparison is said in its place", async () => {
  const { model, texts } = await mount({ selected: NODE, playback });
  await model.answer("inspect", SHOWN);
  await vi.waitFor(() => expect(model.commands("compare").length).toBeGreaterThan(0));

  await model.answer("compare", { ...compared, difference: null, pictures: [], why: "the shapes differ, 2×3 and 3" });
  await frame();

  expect(texts(".hv-compare .hv-reason")).toEqual(["Not compared value by value: the shapes differ, 2×3 and 3."]);
});

test("where there is no second value, nothing of the comparison before is left", async () => {
  const { model, one, texts, click } = await mount({ selected: NODE, playback: { ...playback, pinned: compared.a } });
  await model.answer("inspect", SHOWN);
  await vi.waitFor(() => expect(model.commands("compare").length).toBeGreaterThan(0));
  await model.answer(
    "compare",
    compared,
    [0, 1, 2].map((i) => new DataView(new ArrayBuffer(i < 2 ? 24 : 48))),
  );
  await frame();
  expect(one(".hv-compare > .hv-axes").hidden).toBe(false);
  const before = model.commands("compare").length;

  await click('[data-tab="parameters"]');
  await model.answer("inspect", { ...SHOWN, tab: "parameters" });
  await vi.waitFor(() => expect(model.commands("compare").length).toBeGreaterThan(before));
  const { id } = model.commands("compare").at(-1) ?? {};
  model.fire("msg:custom", { id, error: "There is nothing to compare at fc." }, []);
  await frame();

  expect(texts(".hv-compare-place")[1]).toBe("nothing to compare with");
  expect(texts(".hv-compare .hv-reason")).toEqual(["There is nothing to compare at fc."]);
  expect(one(".hv-compare > .hv-axes").hidden).toBe(true);
});

test("a tensor that was not kept can be asked for, and the answer is told", async () => {
  const [entry] = inspection.entries;
  const { model, one, click } = await mount({
    selected: NODE,
    playback: { ...playback, kept_first: [], pinned: null },
  });
  await model.answer("inspect", { ...SHOWN, entries: [{ ...entry, kept: false, note: "not kept" }] });
  await frame();
  const keep = one(".hv-action-row > :last-child");
  expect([keep.textContent, keep.hidden]).toEqual(["Keep this tensor from the next run", false]);

  await click(".hv-action-row > :last-child");
  await model.answer("keep", { text: "From the next captured run on." });
  await frame();

  expect(model.commands("keep").at(-1)).toMatchObject({ node_id: NODE, kept: true });
  expect(one(".hv-actions > .hv-reason").textContent).toBe("From the next captured run on.");
});
