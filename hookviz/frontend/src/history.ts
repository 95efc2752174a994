/** The past of the selected module over the captured runs, that of earlier trainings drawn behind it. */

import { Signal } from "@preact/signals-core";
import type { Context } from "./context";
import { html, svg } from "./element";
import { nameOf, type Past, pastOf, readingText, stepsOf, type Training } from "./history-past";
import { type Bounds, boundsOf, inPowers, type Line, nearest, plotOf, stepPosition } from "./history-plot";
import type { Plotted } from "./history-wire";
import type { Inspection } from "./inspection";
import { follow } from "./lifetime";
import { formatNumber, formatPercent } from "./numbers";

const WIDTH = 300;
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
const ORDER: readonly Plotted[] = ["output", "gradient", "zeros", "update"];

/** Of earlier trainings, the newest first: strokes that differ without colour. */
const DASHES = ["5 3", "1.5 3", "8 3 1.5 3", "3 2"];

export function mountHistory(el: HTMLElement, context: Context, inspection: Inspection, signal: AbortSignal): void {
  const past = new Signal<Past | null>(null);
  /** The step under the pointer or chosen by keys; null shows the last one. */
  const chosen = new Signal<number | null>(null);
  const runs = html("small", { class: "hv-muted" });
  const plots = html("div", {
    class: "hv-history-plots",
    role: "slider",
    tabindex: 0,
    "aria-label": "Run of the history",
    title: "A click, or Enter, shows this step",
  });
  const readings = html("ul", { class: "hv-history-reading" });
  const nothing = html("p", { class: "hv-muted" }, "No run was captured here yet.");
  el.append(html("h4", { class: "hv-section" }, "History", runs), plots, readings, nothing);

  const ask = async (node_id: string): Promise<void> => {
    const answer = await context.kernel.request({ command: "history", node_id }, "history", () => {});
    if (answer === null || signal.aborted) return;
    past.value = pastOf(answer.reply, answer.buffers);
  };
  follow(signal, () => {
    const shown = inspection.shown.value;
    const isWanted = shown !== null && inspection.isHistory.value;
    if (!isWanted || past.peek()?.node_id !== shown.node_id) {
      past.value = null;
      chosen.value = null;
    }
    if (isWanted) void ask(shown.node_id);
  });

  const range = (): readonly [number, number] => rangeOf(past.peek()?.trainings ?? []);
  follow(signal, () => {
    const { trainings = [] } = past.value ?? {};
    const now = trainings.at(-1);
    const steps = now === undefined ? new Float64Array() : stepsOf(now);
    for (const part of [plots, readings]) part.hidden = now === undefined;
    nothing.hidden = past.value === null || now !== undefined;
    runs.textContent = now === undefined ? "" : runsText(now);
    if (now === undefined) return;
    const [first, last] = range();
    const marked = chosen.value ?? heldStep(context, trainings);
    const step = marked ?? steps.at(-1) ?? last;
    const guide = marked === null ? null : stepPosition(step, [first, last], WIDTH);
    plots.replaceChildren(
      ...ORDER.flatMap((plotted) => plotPart(plotted, trainings, [first, last], guide)),
      html(
        "div",
        { class: "hv-history-ends hv-muted" },
        html("span", {}, trainings.length > 1 ? `run ${first} of each` : `step ${first}`),
        html("span", {}, `${last}`),
      ),
    );
    readings.replaceChildren(...readingLines(trainings, step));
    plots.setAttribute("aria-valuemin", String(first));
    plots.setAttribute("aria-valuemax", String(last));
    plots.setAttribute("aria-valuenow", String(step));
    plots.setAttribute("aria-valuetext", readings.textContent ?? "");
  });

  plots.addEventListener(
    "pointermove",
    (event) => {
      const box = plots.getBoundingClientRect();
      const [first, last] = range();
      chosen.value = nearestStep(
        past.peek(),
        first + ((event.clientX - box.left) / Math.max(box.width, 1)) * (last - first),
      );
    },
    { signal },
  );
  plots.addEventListener(
    "keydown",
    (event) => {
      const steps = allSteps(past.peek());
      const at = nearest(steps, chosen.peek() ?? Number.MAX_SAFE_INTEGER);
      const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: steps.length - 1 }[event.key];
      if (to === undefined || steps.length === 0) return;
      event.preventDefault();
      chosen.value = steps[Math.max(0, Math.min(to, steps.length - 1))] ?? null;
    },
    { signal },
  );
  const hold = (): void => {
    const step = chosen.peek();
    // Steps of trainings that lie over each other are counted from the beginning of each.
    if (step === null || past.peek()?.trainings.length !== 1) return;
    const { steps, newest } = context.traits.playback.peek();
    if (steps.includes(step)) void context.kernel.request({ command: "hold", step: step === newest ? null : step });
  };
  plots.addEventListener("click", hold, { signal });
  plots.addEventListener(
    "keydown",
    (event) => {
      if (event.key === "Enter") hold();
    },
    { signal },
  );
  for (const event of ["pointerleave", "blur"]) {
    plots.addEventListener(
      event,
      () => {
        chosen.value = null;
      },
      { signal },
    );
  }
}

function runsText({ lines }: Training): string {
  const count = Math.max(...Object.values(lines).map(({ steps }) => steps.length));
  return `${count} captured ${count === 1 ? "run" : "runs"}`;
}

function rangeOf(trainings: readonly Training[]): readonly [number, number] {
  const ends = trainings.map(stepsOf);
  return [Math.min(...ends.map((steps) => steps[0] ?? 0)), Math.max(...ends.map((steps) => steps.at(-1) ?? 0))];
}

/** The places of all trainings where there is a run. */
function allSteps(past: Past | null): Float64Array {
  return Float64Array.from(new Set((past?.trainings ?? []).flatMap((training) => [...stepsOf(training)]))).sort();
}

function nearestStep(past: Past | null, step: number): number | null {
  const steps = allSteps(past);
  return steps[nearest(steps, step)] ?? null;
}

/** The past step that the picture shows, where the history counts as it does. */
function heldStep({ traits }: Context, trainings: readonly unknown[]): number | null {
  return trainings.length === 1 ? traits.playback.value.held : null;
}

function plotPart(
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
function readingLines(trainings: readonly Training[], step: number): HTMLElement[] {
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
