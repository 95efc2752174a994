/** One statistic over the runs, drawn, and read out at a place. */

import { html, svg } from "./element";
import { nameOf, readingText, stepsOf, type Training } from "./history-past";
import { type Bounds, boundsOf, inPowers, type Line, plotOf } from "./history-plot";
import type { Plotted } from "./history-wire";
import { formatNumber, formatPercent } from "./numbers";

export const WIDTH = 300;
const HEIGHT = 44;
/** Room for the width of lines and marks. */
const EDGE = 4;

interface Kind {
  title: string;
  hint: string;
  tone: "value" | "gradient" | "parameter";
  /** Drawn in powers of ten where that can be. */
  isLog?: boolean;
  /** What differs by less is drawn as differing by a part of it. */
  leastSpan?: number;
  format?: (value: number) => string;
}

const KINDS: Record<Plotted, Kind> = {
  output: { title: "mean ± std of output", hint: "of the first tensor that the last call returned", tone: "value" },
  gradient: { title: "norm of gradient", hint: "of the gradient at that output", tone: "gradient" },
  zeros: {
    title: "zeros in output",
    hint: "the share of its values that are 0; by a sample where they were not kept, or are over four million",
    tone: "value",
    leastSpan: 0.01,
    format: formatPercent,
  },
  update: {
    title: "update / weight",
    hint:
      "How far one step of training moved the module's own parameters, all of them together, over their norm " +
      "before it: about 0.001 is usual. That of the step after each captured run alone; measured on a sample of " +
      "256 elements of each.",
    tone: "parameter",
    isLog: true,
  },
};
export const ORDER: readonly Plotted[] = ["output", "gradient", "zeros", "update"];

/** Of earlier trainings, the newest first: strokes that differ without colour. */
const DASHES = ["5 3", "1.5 3", "8 3 1.5 3", "3 2"];

export function plotPart(
  plotted: Plotted,
  trainings: readonly Training[],
  range: readonly [number, number],
  guide: number | null,
): Node[] {
  const drawn = trainings.flatMap(({ lines }, i) => {
    const line = lines[plotted];
    return line === undefined ? [] : [{ line, age: trainings.length - 1 - i }];
  });
  if (drawn.length === 0) return [];
  const { title, hint, tone, isLog = false, leastSpan = 0, format = formatNumber } = KINDS[plotted];
  const [low, high] = boundsOf(drawn.map(({ line }) => line));
  const scaled = isLog ? drawn.flatMap(({ line, age }) => scaledLine(line, age)) : drawn;
  const isInPowers = isLog && scaled.length === drawn.length;
  const shown = isInPowers ? scaled : drawn;
  const bounds = widened(boundsOf(shown.map(({ line }) => line)), leastSpan);
  const paths = shown.map(({ line, age }) => ({ age, ...plotOf(line, range, WIDTH, HEIGHT, bounds) }));
  const marks = paths.find(({ age }) => age === 0)?.marks ?? [];
  const ends =
    low > high ? "" : low === high ? format(low) : `${format(low)} to ${format(high)}${isInPowers ? " · log" : ""}`;
  const bad = marks.length === 0 ? "" : `${marks.length} × NaN or Inf`;
  return [
    html(
      "p",
      { class: "hv-history-title", "data-tone": tone, title: hint },
      html("span", {}, title),
      html("span", { class: bad === "" ? "hv-muted" : "hv-tone-trouble" }, bad || ends),
    ),
    svg(
      "svg",
      {
        class: "hv-history-plot",
        "data-tone": tone,
        viewBox: `${-EDGE} ${-EDGE} ${WIDTH + 2 * EDGE} ${HEIGHT + 2 * EDGE}`,
        "aria-hidden": "true",
      },
      ...paths.map(({ age, band }) =>
        band === "" || age > 0 ? null : svg("path", { class: "hv-history-band", d: band }),
      ),
      ...marks.map((x) => svg("path", { class: "hv-history-mark", d: `M${x.toFixed(1)} 0V${HEIGHT}` })),
      ...paths.map(({ age, line }) =>
        svg("path", { class: "hv-history-line", d: line, "data-age": age, "stroke-dasharray": dashOf(age) }),
      ),
      guide === null ? null : svg("path", { class: "hv-history-guide", d: `M${guide.toFixed(1)} 0V${HEIGHT}` }),
    ),
  ];
}

/** Two values of 65,536 that are 0 for once would else look like all of them. */
function widened([low, high]: Bounds, least: number): Bounds {
  return low > high ? [low, high] : [low, Math.max(high, low + least)];
}

function scaledLine(line: Line, age: number): { line: Line; age: number }[] {
  const inTens = inPowers(line);
  return inTens === null ? [] : [{ line: inTens, age }];
}

/** The present training is a solid line. */
function dashOf(age: number): string | null {
  return age === 0 ? null : (DASHES[(age - 1) % DASHES.length] ?? null);
}

/** What each training had at a place; the present one first, with a sample of its stroke where there are several. */
export function readingLines(trainings: readonly Training[], step: number): HTMLElement[] {
  return trainings.toReversed().map((training, age) => {
    const steps = stepsOf(training);
    const text = steps.includes(step) || trainings.length === 1 ? readingText(training, step) : "";
    if (trainings.length === 1) return html("li", {}, ...unbrokenParts(text));
    const stroke = svg(
      "svg",
      { viewBox: "0 0 22 8", width: 22, height: 8, "aria-hidden": "true" },
      svg("path", { d: "M1 4H21", "data-age": age, "stroke-dasharray": dashOf(age) }),
    );
    return html("li", {}, html("b", {}, stroke, nameOf(training)), " ", ...unbrokenParts(text));
  });
}

/** A number stays in one line with its unit and name. */
function unbrokenParts(text: string): (HTMLElement | string)[] {
  return text.split(" · ").flatMap((part, i) => [...(i === 0 ? [] : [" · "]), html("span", {}, part)]);
}
