/** The past of a module as lines: of each training, each from its own first run where there are several. */

import { doubles } from "./buffers";
import type { Line } from "./history-plot";
import type { HistoryWire, Plotted } from "./history-wire";
import { formatMeanStd, formatNumber, formatPercent } from "./numbers";

export interface Training {
  /** Empty for what came before the first mark. */
  name: string;
  /** What is taken off its steps, so that several trainings begin at one place. */
  shift: number;
  lines: Partial<Record<Plotted, Line>>;
}

export interface Past {
  node_id: string;
  /** Oldest first; the last one is the present. */
  trainings: Training[];
}

/** The lines of an answer. A training of which nothing was captured here is left out. */
export function pastOf({ node_id, marks, first_steps, lines }: HistoryWire, buffers: readonly DataView[]): Past {
  const trainings = marks.map((name, i): Training => ({ name, shift: (first_steps[i] ?? 1) - 1, lines: {} }));
  lines.forEach(({ plotted, mark, count }, i) => {
    const buffer = buffers[i];
    const training = trainings[mark];
    if (buffer === undefined || training === undefined) return;
    const table = doubles(buffer);
    const row = (number: number) => table.subarray(count * number, count * (number + 1));
    training.lines[plotted] = { steps: row(0), values: row(1), spread: plotted === "output" ? row(2) : null };
  });
  const there = trainings.filter((training) => stepsOf(training).length > 0);
  return { node_id, trainings: there.length > 1 ? there.map(fromItsFirstRun) : there.map(asItIs) };
}

function fromItsFirstRun(training: Training): Training {
  const { shift } = training;
  const lines = Object.fromEntries(
    Object.entries(training.lines).map(([plotted, line]) => [
      plotted,
      { ...line, steps: line.steps.map((step) => step - shift) },
    ]),
  );
  return { ...training, lines };
}

function asItIs(training: Training): Training {
  return { ...training, shift: 0 };
}

/** The runs of a training's lines, in order. */
export function stepsOf({ lines }: Training): Float64Array {
  return Float64Array.from(new Set(Object.values(lines).flatMap(({ steps }) => [...steps]))).sort();
}

/** What a training is called where there are several. */
export function nameOf({ name }: Training): string {
  return name === "" ? "before" : name;
}

/**
 * `step 12 · 1.20e−02 ± 5.70e−01 · ∇ 3.10e−03 · 40 % zeros · update 0.0011`; what a run did not have is left out.
 *
 * `step` is where it is drawn.
 */
export function readingText({ lines, shift }: Training, step: number): string {
  const at = (plotted: Plotted): number | undefined => {
    const line = lines[plotted];
    return line?.values[line.steps.indexOf(step)];
  };
  const mean = at("output");
  const std = lines.output?.spread?.[lines.output.steps.indexOf(step)];
  const [gradient, zeros, update] = [at("gradient"), at("zeros"), at("update")];
  return [
    `step ${step + shift}`,
    mean === undefined
      ? ""
      : formatMeanStd(mean, std === undefined || (Number.isNaN(std) && !Number.isNaN(mean)) ? null : std),
    gradient === undefined ? "" : `∇ ${formatNumber(gradient)}`,
    zeros === undefined ? "" : `${formatPercent(zeros)} zeros`,
    update === undefined ? "" : `update ${formatNumber(update)}`,
  ]
    .filter((part) => part !== "")
    .join(" · ");
}
