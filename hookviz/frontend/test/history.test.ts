import { expect, test, vi } from "vitest";
import { pastOf, readingText } from "../src/history-past";
import { inPowers, nearest, plotOf } from "../src/history-plot";
import type { HistoryWire } from "../src/history-wire";
import { inspection } from "./examples";
import { frame, type Mounted, mount } from "./views";

function buffer(...numbers: number[]): DataView {
  const view = new DataView(new ArrayBuffer(8 * numbers.length));
  numbers.forEach((number, i) => {
    view.setFloat64(8 * i, number, true);
  });
  return view;
}

const node_id = "module:layer1.conv1";

/** One training without a mark: steps 1, 2 and 4. */
const ONE: HistoryWire = {
  node_id,
  marks: [""],
  first_steps: [1],
  lines: [
    { plotted: "output", mark: 0, count: 3 },
    { plotted: "gradient", mark: 0, count: 2 },
    { plotted: "zeros", mark: 0, count: 1 },
    { plotted: "update", mark: 0, count: 1 },
  ],
};
const ONE_BUFFERS = [
  buffer(1, 2, 4, 0.5, Number.NaN, 1.5, 0.25, Number.NaN, 0.5),
  buffer(1, 4, 3, 5),
  buffer(4, 0.25),
  buffer(4, 0.002),
];

/** Two trainings, the second of which begins at step 11. */
const TWO: HistoryWire = {
  node_id,
  marks: ["lr=0.1", "lr=0.01"],
  first_steps: [1, 11],
  lines: [
    { plotted: "gradient", mark: 0, count: 3 },
    { plotted: "gradient", mark: 1, count: 2 },
  ],
};
const TWO_BUFFERS = [buffer(1, 2, 3, 10, 20, 30), buffer(11, 12, 5, 6)];

async function mountHistory(reply: HistoryWire, buffers: DataView[]): Promise<Mounted> {
  const view = await mount({ selected: node_id });
  await view.model.answer("inspect", { ...inspection, node_id, tab: "output" });
  await frame();
  await view.click('[data-tab="history"]');
  await vi.waitFor(() => expect(view.model.commands("history").length).toBe(1));
  await view.model.answer("history", reply, buffers);
  await frame();
  return view;
}

const array = (...numbers: number[]) => Float64Array.from(numbers);

test("an answer has a line for each buffer", () => {
  const [training] = pastOf(ONE, ONE_BUFFERS).trainings;

  expect([...(training?.lines.output?.steps ?? [])]).toEqual([1, 2, 4]);
  expect([...(training?.lines.output?.values ?? [])]).toEqual([0.5, Number.NaN, 1.5]);
  expect([...(training?.lines.gradient?.values ?? [])]).toEqual([3, 5]);
});

test("of several trainings each counts from its own first run", () => {
  const { trainings } = pastOf(TWO, TWO_BUFFERS);

  expect(trainings.map(({ name, shift }) => [name, shift])).toEqual([
    ["lr=0.1", 0],
    ["lr=0.01", 10],
  ]);
  expect([...(trainings[1]?.lines.gradient?.steps ?? [])]).toEqual([1, 2]);
});

test("a training without runs of this module is left out", () => {
  const { trainings } = pastOf({ ...TWO, lines: TWO.lines.slice(1) }, TWO_BUFFERS.slice(1));

  expect(trainings.map(({ name, shift }) => [name, shift])).toEqual([["lr=0.01", 0]]);
});

test("powers of ten need values above 0", () => {
  expect([...(inPowers({ steps: array(1, 2), values: array(0.1, 100), spread: null })?.values ?? [])]).toEqual([-1, 2]);
  expect(inPowers({ steps: array(1, 2), values: array(0, 100), spread: null })).toBeNull();
});

test("a line breaks where a value is no number, and that place is marked", () => {
  const line = { steps: array(0, 1, 2, 3), values: array(0, 2, Number.NaN, 1), spread: null };

  const plot = plotOf(line, [0, 3], 30, 10);

  expect(plot.line).toBe("M0.0 10.0L10.0 0.0M30.0 5.0L30.0 5.0");
  expect(plot.marks).toEqual([20]);
  expect([plot.low, plot.high]).toEqual([0, 2]);
});

test("the band widens what is drawn, and a deviation that is not defined has none", () => {
  const plot = plotOf({ steps: array(0, 1), values: array(1, 1), spread: array(1, Number.NaN) }, [0, 1], 10, 10);

  expect([plot.low, plot.high]).toEqual([0, 2]);
  expect(plot.band).toBe("M0.0 0.0L10.0 5.0L10.0 5.0L0.0 10.0Z");
});

test("the nearest run is the one that is read", () => {
  const [training] = pastOf(ONE, ONE_BUFFERS).trainings;
  if (training === undefined) throw new Error("There is no training.");

  expect(nearest(array(1, 2, 10), 7)).toBe(2);
  expect(readingText(training, 4)).toBe("step 4 · 1.50 ± 0.500 · ∇ 5 · 25.0 % zeros · update 0.00200");
  expect(readingText(training, 2)).toBe("step 2 · NaN ± NaN");
});

test("the tab of a module shows all lines, and the arrows go from run to run", async () => {
  const { one, texts, press } = await mountHistory(ONE, ONE_BUFFERS);

  expect(texts(".hv-history-title > :first-child")).toEqual([
    "mean ± std of output",
    "norm of gradient",
    "zeros in output",
    "update / weight",
  ]);
  expect(texts(".hv-history-title > :last-child").slice(0, 2)).toEqual(["1 × NaN or Inf", "3 to 5"]);
  expect(texts(".hv-history-reading > li")).toEqual(["step 4 · 1.50 ± 0.500 · ∇ 5 · 25.0 % zeros · update 0.00200"]);
  one(".hv-history-plots").focus();
  await press("ArrowLeft");

  expect(one(".hv-history-plots").getAttribute("aria-valuetext")).toBe("step 2 · NaN ± NaN");
});

test("an earlier training is drawn behind the present one, with another stroke", async () => {
  const { el, texts } = await mountHistory(TWO, TWO_BUFFERS);

  const strokes = [...el.querySelectorAll(".hv-history-line")].map((line) => line.getAttribute("stroke-dasharray"));

  expect(strokes).toEqual(["5 3", null]);
  expect(texts(".hv-history-title > :last-child")).toEqual(["5 to 30"]);
  expect(texts(".hv-history-reading > li")).toEqual(["lr=0.01 step 12 · ∇ 6", "lr=0.1 step 2 · ∇ 20"]);
  expect(texts(".hv-history-ends > span")).toEqual(["run 1 of each", "3"]);
});

test("new values are asked for, and where nothing was captured that is said", async () => {
  const { model, one } = await mountHistory({ ...ONE, lines: [] }, []);
  expect(one(".hv-history-plots").hidden).toBe(true);
  expect(one(".hv-history").textContent).toContain("No run was captured here yet.");

  model.set("status", { ...model.traits.status, step: 7 });
  await vi.waitFor(() => expect(model.commands("inspect").length).toBe(2));
  await model.answer("inspect", { ...inspection, node_id, tab: "output", step: 7 });

  expect(model.commands("history").length).toBe(2);
});

test("the history of a module is asked for only where its tab is open", async () => {
  const { model } = await mount({ selected: node_id });

  await model.answer("inspect", { ...inspection, node_id, tab: "output" });
  await frame();

  expect(model.commands("history")).toEqual([]);
});

test("a recording has no history, and so no tab of it", async () => {
  const view = await mount({ selected: node_id });
  view.model.set("status", { ...view.model.traits.status, state: "recorded" });
  await view.model.answer("inspect", { ...inspection, node_id, tab: "output" });
  await frame();

  expect(view.texts('[data-tab="history"]')).toEqual([]);
});

test("Enter, or a click, on a run of one training shows that step, and it stays marked", async () => {
  const { model, one, press, texts } = await mountHistory(ONE, ONE_BUFFERS);
  const live = {
    steps: [1, 2, 4],
    held: null,
    newest: 4,
    note: "",
    part: "",
    whole: null,
    kept_first: [],
    pinned: null,
  };
  model.set("playback", live);
  one(".hv-history-plots").focus();

  await press("ArrowLeft");
  await press("Enter");
  expect(model.commands("hold").map(({ step }) => step)).toEqual([2]);
  model.set("playback", { ...live, held: 2 });
  one(".hv-history-plots").blur();
  await frame();

  expect(texts(".hv-history-reading > li")).toEqual(["step 2 · NaN ± NaN"]);
});
