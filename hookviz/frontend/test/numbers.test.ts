import { expect, test } from "vitest";
import {
  formatBytes,
  formatCount,
  formatLimit,
  formatMeanStd,
  formatNumber,
  formatPercent,
  formatSeconds,
  formatShape,
} from "../src/numbers";

test("a number has three significant digits, and an exponent only where it is long otherwise", () => {
  expect(formatNumber(0.41)).toBe("0.410");
  expect(formatNumber(-1.8437)).toBe("−1.84");
  expect(formatNumber(148.4)).toBe("148");
  expect(formatNumber(0.00034)).toBe("3.40e−04");
  expect(formatNumber(-12_345.6)).toBe("−1.23e+04");
});

test("a whole number is exact up to a million", () => {
  expect(formatNumber(123_456)).toBe("123456");
  expect(formatNumber(-2)).toBe("−2");
  expect(formatNumber(0)).toBe("0");
  expect(formatNumber(12_345_678)).toBe("1.23e+07");
});

test("what is no number says so", () => {
  expect(formatNumber("nan")).toBe("NaN");
  expect(formatNumber("-inf")).toBe("−Inf");
  expect(formatNumber(Number.POSITIVE_INFINITY)).toBe("Inf");
  expect(formatNumber(Number.NaN)).toBe("NaN");
  expect(formatNumber(null)).toBe("–");
});

test("a mean without a deviation stands alone", () => {
  expect(formatMeanStd(1.5, 0.25)).toBe("1.50 ± 0.250");
  expect(formatMeanStd(-8.463e-4, 0.528)).toBe("−8.46e−04 ± 5.28e−01");
  expect(formatMeanStd("nan", 5e7)).toBe("NaN ± 5.00e+07");
  expect(formatMeanStd(3, null)).toBe("3");
});

test("counts are grouped by thousands", () => {
  expect(formatCount(999)).toBe("999");
  expect(formatCount(16_384)).toBe("16,384");
  expect(formatCount(1_234_567)).toBe("1,234,567");
});

test("a tensor without axes is a scalar", () => {
  expect(formatShape([8, 16, 32, 32])).toBe("8 × 16 × 32 × 32");
  expect(formatShape([])).toBe("scalar");
  expect(formatShape([2, -1, 3])).toBe("2 × ? × 3");
});

test("a share that is not zero is never shown as zero", () => {
  expect(formatPercent(0)).toBe("0.0 %");
  expect(formatPercent(0.0001)).toBe("< 0.1 %");
  expect(formatPercent(0.021)).toBe("2.1 %");
  expect(formatPercent(1)).toBe("100 %");
});

test("a limit reads as the user wrote it", () => {
  expect(formatLimit(0.05)).toBe("5 %");
  expect(formatLimit(0.025)).toBe("2.5 %");
});

test("bytes are counted in powers of 1024", () => {
  expect(formatBytes(0)).toBe("0 bytes");
  expect(formatBytes(1536)).toBe("1.5 kB");
  expect(formatBytes(18 * 2 ** 20)).toBe("18 MB");
  expect(formatBytes(256 * 2 ** 20)).toBe("256 MB");
});

test("seconds read in milliseconds where they are few", () => {
  expect([0.0004, 0.02, 0.1, 0.31, 9.96, 12.4].map(formatSeconds)).toEqual([
    "1 ms",
    "20 ms",
    "0.1 s",
    "0.3 s",
    "10 s",
    "12 s",
  ]);
});
