/** How numbers read in the widget. */

import type { WireNumber } from "./wire";

const MINUS = "−";

/** Three significant digits, plain where that is short, else with an exponent; whole numbers in full. */
export function formatNumber(value: WireNumber): string {
  if (value === null) return "–";
  if (typeof value === "string") return value.replace("-", MINUS).replace("nan", "NaN").replace("inf", "Inf");
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "Inf" : `${MINUS}Inf`;
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e6) return value.toString().replace("-", MINUS);
  return (size >= 1e-3 && size < 1e4 ? value.toPrecision(3) : scientific(value)).replaceAll("-", MINUS);
}

/** A mean and its deviation, in one notation for both. */
export function formatMeanStd(mean: WireNumber, std: WireNumber): string {
  if (std === null) return formatNumber(mean);
  const isScientific = [mean, std].some((value) => formatNumber(value).includes("e"));
  const format = (value: WireNumber): string =>
    isScientific && typeof value === "number" && Number.isFinite(value)
      ? scientific(value).replaceAll("-", MINUS)
      : formatNumber(value);
  return `${format(mean)} ± ${format(std)}`;
}

/** `1.48e+02`: an exponent of two digits, so that columns of numbers align. */
function scientific(value: number): string {
  return value.toExponential(2).replace(/e([+-])(\d)$/, "e$10$2");
}

/** `16,384`. */
export function formatCount(count: number): string {
  return count.toString().replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `8 × 16 × 32 × 32`; a tensor without axes is a `scalar`, and `?` an axis that differs from part to part. */
export function formatShape(shape: readonly number[]): string {
  return shape.length === 0 ? "scalar" : shape.map((size) => (size < 0 ? "?" : size)).join(" × ");
}

/** `2.1 %`; a share that is not zero is never shown as zero. */
export function formatPercent(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 0.05) return "< 0.1 %";
  return `${percent.toFixed(percent >= 99.95 ? 0 : 1)} %`;
}

/** `20 ms`, `0.3 s`, `12 s`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 0.0995) return `${Math.max(1, Math.round(seconds * 1000))} ms`;
  return `${seconds.toFixed(seconds < 9.95 ? 1 : 0)} s`;
}

/** `5 %`, `2.5 %`: a limit as the user wrote it. */
export function formatLimit(share: number): string {
  return `${Number((share * 100).toFixed(2))} %`;
}

const UNITS = ["bytes", "kB", "MB", "GB", "TB"] as const;

/** `18 MB`; powers of 1024, as PyTorch counts memory. */
export function formatBytes(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  while (amount >= 1024 && unit < UNITS.length - 1) {
    amount /= 1024;
    unit += 1;
  }
  const digits = unit > 0 && amount < 10 ? 1 : 0;
  return `${Number(amount.toFixed(digits))} ${UNITS[unit]}`;
}
