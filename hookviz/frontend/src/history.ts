/** The past of the selected module: its mean output and the norm of its gradient over the captured runs. */

import { computed, Signal } from "@preact/signals-core";
import type { Context } from "./context";
import { html, svg } from "./element";
import { doubles, type Line, nearest, plotOf, stepPosition } from "./history-plot";
import type { HistoryWire } from "./history-wire";
import type { Inspection } from "./inspection";
import { follow } from "./lifetime";
import { formatMeanStd, formatNumber } from "./numbers";

const WIDTH = 300;
const HEIGHT = 44;
/** Room for the width of lines and marks. */
const EDGE = 4;

export interface Past {
  node_id: string;
  output: Line;
  gradient: Line;
}

/** The two lines of an answer. */
export function pastOf({ node_id, outputs, gradients }: HistoryWire, buffers: readonly DataView[]): Past {
  const [first, second] = buffers.map(doubles);
  const row = (table: Float64Array | undefined, count: number, i: number) =>
    table?.subarray(count * i, count * (i + 1)) ?? new Float64Array();
  return {
    node_id,
    output: { steps: row(first, outputs, 0), values: row(first, outputs, 1), spread: row(first, outputs, 2) },
    gradient: { steps: row(second, gradients, 0), values: row(second, gradients, 1), spread: null },
  };
}

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
  });
  const reading = html("p", { class: "hv-history-reading" });
  el.append(html("h4", { class: "hv-section" }, "History", runs), plots, reading);

  const ask = async (node_id: string): Promise<void> => {
    const answer = await context.kernel.request({ command: "history", node_id }, "history", () => {});
    if (answer === null || signal.aborted) return;
    past.value = pastOf(answer.reply, answer.buffers);
  };
  // Of a recording there is the last run alone.
  const isRecorded = computed(() => context.traits.status.value.state === "recorded");
  follow(signal, () => {
    const shown = inspection.shown.value;
    const isWanted = shown?.node_id.startsWith("module:") === true && shown.tab !== "parameters" && !isRecorded.value;
    if (!isWanted || past.peek()?.node_id !== shown.node_id) {
      past.value = null;
      chosen.value = null;
    }
    if (isWanted) void ask(shown.node_id);
  });

  follow(signal, () => {
    const now = past.value;
    const steps = now === null ? new Float64Array() : stepsOf(now);
    el.hidden = now === null || steps.length === 0;
    if (now === null || steps.length === 0) return;
    const range = [steps[0] ?? 0, steps.at(-1) ?? 0] as const;
    const step = steps[nearest(steps, chosen.value ?? range[1])] ?? range[1];
    const guide = chosen.value === null ? null : stepPosition(step, range, WIDTH);
    runs.textContent = `${steps.length} captured ${steps.length === 1 ? "run" : "runs"}`;
    plots.replaceChildren(
      ...plotPart("mean ± std of output", now.output, range, guide, "value"),
      ...plotPart("norm of gradient", now.gradient, range, guide, "gradient"),
      html(
        "div",
        { class: "hv-history-ends hv-muted" },
        html("span", {}, `step ${range[0]}`),
        html("span", {}, `${range[1]}`),
      ),
    );
    reading.textContent = readingText(now, step);
    plots.setAttribute("aria-valuemin", String(range[0]));
    plots.setAttribute("aria-valuemax", String(range[1]));
    plots.setAttribute("aria-valuenow", String(step));
    plots.setAttribute("aria-valuetext", reading.textContent);
  });

  plots.addEventListener(
    "pointermove",
    (event) => {
      const steps = past.peek() === null ? new Float64Array() : stepsOf(past.peek() as Past);
      const box = plots.getBoundingClientRect();
      const [first, last] = [steps[0] ?? 0, steps.at(-1) ?? 0];
      chosen.value = first + ((event.clientX - box.left) / Math.max(box.width, 1)) * (last - first);
    },
    { signal },
  );
  plots.addEventListener(
    "keydown",
    (event) => {
      const now = past.peek();
      if (now === null) return;
      const steps = stepsOf(now);
      const at = nearest(steps, chosen.peek() ?? Number.MAX_SAFE_INTEGER);
      const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: steps.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      chosen.value = steps[Math.max(0, Math.min(to, steps.length - 1))] ?? null;
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

/** The runs of both lines, in order. */
function stepsOf({ output, gradient }: Past): Float64Array {
  return Float64Array.from(new Set([...output.steps, ...gradient.steps])).sort();
}

function plotPart(
  title: string,
  line: Line,
  range: readonly [number, number],
  guide: number | null,
  tone: "value" | "gradient",
): Node[] {
  if (line.steps.length === 0) return [];
  const plot = plotOf(line, range, WIDTH, HEIGHT);
  const ends = plot.low > plot.high ? "" : `${formatNumber(plot.low)} to ${formatNumber(plot.high)}`;
  const bad = plot.marks.length === 0 ? "" : `${plot.marks.length} × NaN or Inf`;
  return [
    html(
      "p",
      { class: "hv-history-title", "data-tone": tone },
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
      plot.band === "" ? null : svg("path", { class: "hv-history-band", d: plot.band }),
      ...plot.marks.map((x) => svg("path", { class: "hv-history-mark", d: `M${x.toFixed(1)} 0V${HEIGHT}` })),
      svg("path", { class: "hv-history-line", d: plot.line }),
      guide === null ? null : svg("path", { class: "hv-history-guide", d: `M${guide.toFixed(1)} 0V${HEIGHT}` }),
    ),
  ];
}

/** `step 12 · 1.20e−02 ± 5.70e−01 · ∇ 3.10e−03`; what a run did not have is left out. */
export function readingText({ output, gradient }: Past, step: number): string {
  const out = output.steps.indexOf(step);
  const grad = gradient.steps.indexOf(step);
  const mean = output.values[out];
  const std = output.spread?.[out];
  return [
    `step ${step}`,
    mean === undefined
      ? ""
      : formatMeanStd(mean, std === undefined || (Number.isNaN(std) && !Number.isNaN(mean)) ? null : std),
    grad < 0 ? "" : `∇ ${formatNumber(gradient.values[grad] ?? null)}`,
  ]
    .filter((part) => part !== "")
    .join(" · ");
}
