/** What the usual signs on a card mean, beside the diagram; the help tells all of them. */

import type { Context } from "./context";
import { html } from "./element";
import { follow } from "./lifetime";

/** Those of the usual signs that stand on some card now. */
export function mountLegendLine(el: HTMLElement, { traits }: Context, signal: AbortSignal): void {
  const mean = html("span", { "data-tone": "value" }, "▁▃█▂ mean ±std");
  const gradient = html("span", { "data-tone": "gradient" }, "∇ norm of gradient");
  el.title = "Of what each module returned in the last captured run";
  el.append(mean, gradient);
  follow(signal, () => {
    const shown = Object.values(traits.node_data.value);
    mean.hidden = !shown.some(({ value }) => value.includes("±"));
    gradient.hidden = !shown.some(({ gradient: line }) => line.startsWith("∇"));
    el.hidden = mean.hidden && gradient.hidden;
  });
}
