/** The past of the selected module over the captured runs, that of earlier trainings drawn behind it. */

import { Signal } from "@preact/signals-core";
import type { Context } from "./context";
import { html } from "./element";
import { ORDER, plotPart, readingLines, WIDTH } from "./history-part";
import { type Past, pastOf, stepsOf, type Training } from "./history-past";
import { nearest, stepPosition } from "./history-plot";
import type { Inspection } from "./inspection";
import { follow } from "./lifetime";

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
