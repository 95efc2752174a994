import { expect, test, vi } from "vitest";
import { pastOf, readingText } from "../src/history";
import { nearest, plotOf } from "../src/history-plot";
import { history, inspection } from "./examples";
import { frame, mount } from "./views";

function buffer(...numbers: number[]): DataView {
  const view = new DataView(new ArrayBuffer(8 * numbers.length));
  numbers.forEach((number, i) => {
    view.setFloat64(8 * i, number, true);
  });
  return view;
}

const OUTPUTS = buffer(1, 2, 4, 0.5, Number.NaN, 1.5, 0.25, Number.NaN, 0.5);
const GRADIENTS = buffer(1, 4, 3, 5);

const array = (...numbers: number[]) => Float64Array.from(numbers);

test("an answer has the rows of both buffers", () => {
  const past = pastOf(history, [OUTPUTS, GRADIENTS]);

  expect([...past.output.steps]).toEqual([1, 2, 4]);
  expect([...past.output.values]).toEqual([0.5, Number.NaN, 1.5]);
  expect([...past.gradient.values]).toEqual([3, 5]);
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
  expect(nearest(array(1, 2, 10), 7)).toBe(2);
  expect(readingText(pastOf(history, [OUTPUTS, GRADIENTS]), 4)).toBe("step 4 · 1.50 ± 0.500 · ∇ 5");
  expect(readingText(pastOf(history, [OUTPUTS, GRADIENTS]), 2)).toBe("step 2 · NaN ± NaN");
});

test("the inspector of a module shows both lines, and the arrows go from run to run", async () => {
  const { model, one, texts, press } = await mount({ selected: "module:layer1.conv1" });
  await model.answer("inspect", { ...inspection, node_id: "module:layer1.conv1", tab: "output" });
  await vi.waitFor(() => expect(model.commands("history").length).toBe(1));
  await model.answer("history", history, [OUTPUTS, GRADIENTS]);
  await frame();

  expect(texts(".hv-history-title > :first-child")).toEqual(["mean ± std of output", "norm of gradient"]);
  expect(texts(".hv-history-title > :last-child")).toEqual(["1 × NaN or Inf", "3 to 5"]);
  expect(one(".hv-history-reading").textContent).toBe("step 4 · 1.50 ± 0.500 · ∇ 5");
  one(".hv-history-plots").focus();
  await press("ArrowLeft");

  expect(one(".hv-history-plots").getAttribute("aria-valuetext")).toBe("step 2 · NaN ± NaN");
});

test("new values are asked for, and a module without any has no section", async () => {
  const { model, one } = await mount({ selected: "module:layer1.conv1" });
  const shown = { ...inspection, node_id: "module:layer1.conv1", tab: "output" };
  await model.answer("inspect", shown);
  await model.answer("history", { ...history, outputs: 0, gradients: 0 }, [buffer(), buffer()]);
  expect(one(".hv-history").hidden).toBe(true);

  model.set("status", { ...model.traits.status, step: 7 });
  await vi.waitFor(() => expect(model.commands("inspect").length).toBe(2));
  await model.answer("inspect", { ...shown, step: 7 });

  expect(model.commands("history").length).toBe(2);
});
