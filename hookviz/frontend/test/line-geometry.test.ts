import { expect, test } from "vitest";
import { curveOf, pointAt } from "../src/line-geometry";
import { pointText } from "../src/line-plot";
import { block } from "./blocks";

const SIZE = { width: 100, height: 10 };

function line(values: number[], rows = 1) {
  const columns = values.length / rows;
  return block(
    { form: "line", shape: [columns], row_axis: 0, column_axis: 0, rows, columns, column_step: rows === 2 ? 4 : 1 },
    values,
  );
}

test("values lie between the least below and the greatest above", () => {
  expect(curveOf(line([-1, 3, 1]), SIZE)).toEqual({
    path: "M0.0 10.0L50.0 0.0L100.0 5.0",
    isBand: false,
    marks: [],
    low: -1,
    high: 3,
    zero: 7.5,
  });
});

test("a value that is no number is a gap and a mark, its lonely neighbour a dot", () => {
  const curve = curveOf(line([0, Number.NaN, 4]), SIZE);

  expect(curve.path).toBe("M0.0 10.0L0.0 10.0M100.0 0.0L100.0 0.0");
  expect(curve.marks).toEqual([50]);
});

test("the ends of stretches are a band", () => {
  const curve = curveOf(line([0, 1, 2, 4], 2), SIZE);

  expect(curve.isBand).toBe(true);
  expect(curve.path).toBe("M0.0 5.0L100.0 0.0L100.0 7.5L0.0 10.0Z");
});

test("equal values lie in the middle", () => {
  expect(curveOf(line([2, 2]), SIZE)).toMatchObject({ path: "M0.0 5.0L100.0 5.0", zero: null });
});

test("the nearest value is pointed at", () => {
  expect([pointAt(0, 5), pointAt(0.6, 5), pointAt(1.4, 5), pointAt(-1, 5)]).toEqual([0, 2, 4, 0]);
});

test("a value is read out, and of a stretch what it lies between", () => {
  expect(pointText(line([1, 2.5]), 1, "float32")).toBe("[1] = 2.5");
  expect(pointText(line([0, 1, 2, 4], 2), 1, "float32")).toBe("4 values from [4]: 1 to 4");
});
