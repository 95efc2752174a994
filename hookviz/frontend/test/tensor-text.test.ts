import { expect, test } from "vitest";
import { histogramBars, sampleNote, zeroPosition } from "../src/histogram";
import { statisticsRows } from "../src/statistics";
import type { SummaryWire } from "../src/wire";
import { inspection } from "./examples";

function summary(entry: number): SummaryWire {
  const found = inspection.entries[entry]?.summary;
  if (!found) throw new Error(`The example has no summary ${entry}.`);
  return found;
}

test("the statistics of a tensor are six rows", () => {
  expect(statisticsRows(summary(0))).toEqual([
    ["shape", "8 × 16 × 32 × 32", ""],
    ["dtype · device", "float32 · cpu", ""],
    ["mean ± std", "−0.00340 ± 0.410", ""],
    ["min · max", "−1.84 · 1.91", ""],
    ["zeros · NaN · Inf", "0.0 % · 0 · 0", ""],
    ["‖·‖₂", "148", ""],
  ]);
});

test("numbers that could not be had are dashes, and NaN is trouble", () => {
  expect(statisticsRows(summary(1)).slice(2)).toEqual([
    ["mean ± std", "NaN", ""],
    ["min · max", "−Inf · Inf", ""],
    ["zeros · NaN · Inf", "– · 1 · 2", "trouble"],
    ["‖·‖₂", "NaN", ""],
  ]);
});

test("the tallest bar fills the height and a single value is still seen", () => {
  const bars = histogramBars([0, 1, 1000], 300, 60, "linear");

  expect(bars.map(({ height }) => height)).toEqual([0, 1, 60]);
  expect(bars.map(({ x }) => Math.floor(x / 100))).toEqual([0, 1, 2]);
});

test("on a logarithmic scale a thousandth is a good part of the height, and nothing stays nothing", () => {
  const heights = histogramBars([0, 1, 1000], 300, 60, "log").map(({ height }) => Math.round(height));

  expect(heights).toEqual([0, 6, 60]);
});

test("zero is marked where its label does not meet those of the ends", () => {
  expect(zeroPosition(-1, 1)).toBe(0.5);
  expect(zeroPosition(-1, 99)).toBeNull();
  expect(zeroPosition(1, 2)).toBeNull();
});

test("a histogram of a sample says so", () => {
  expect(sampleNote({ low: 0, high: 1, counts: [1], sampled: 16_384, of: 131_072 })).toBe("sampled 16,384 of 131,072");
  expect(sampleNote({ low: 0, high: 1, counts: [1], sampled: 10, of: 10 })).toBe("");
});
