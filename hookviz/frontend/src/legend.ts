/** What the signs on a card mean: the usual ones beside the diagram, all of them and the keys on demand. */

import type { Context } from "./context";
import { button, html } from "./element";
import { follow } from "./lifetime";

type Tone = "value" | "gradient" | "parameter" | "trouble" | "";

/** A sign as it stands in the picture, its tone, and what it means. */
const SIGNS: readonly [sign: string, tone: Tone, meaning: string][] = [
  ["▁▃█▂▁", "value", "histogram of what the module returned"],
  ["+1.20e-02", "value", "its mean"],
  ["±5.70e-01", "value", "its standard deviation"],
  ["∇ 3.10e-03", "gradient", "Euclidean norm of the gradient with respect to it"],
  ["red", "trouble", "NaN, Inf, or the module that raised"],
  ["8×16", "", "shape of the tensor on its way, where it changes"],
  ["×3", "", "called three times in one run"],
  ["→● clip", "value", "a hook before forward(), on what enters; a click switches it"],
  ["● record", "value", "a hook after forward(), on what leaves; ○ where it is off"],
  ["∇● scale", "gradient", "a hook on gradients"],
  ["● mask", "parameter", "a hook on a parameter"],
];

const KEYS: readonly [keys: string, effect: string][] = [
  ["click, Enter", "look inside"],
  ["double click, Space", "fold, unfold"],
  ["arrows", "go along the edges"],
  ["drag, wheel", "move the picture"],
  ["Ctrl + wheel, + −", "zoom"],
  ["0, f", "100 %, fit"],
  ["Tab, then ← →, Space", "the hooks of a card, switch one"],
  ["Esc", "close the inspector"],
];

export function mountLegend(el: HTMLElement, signal: AbortSignal): void {
  const toggle = button("?", { "aria-label": "Legend and keys", title: "Legend and keys", "aria-expanded": "false" });
  const panel = html(
    "div",
    { class: "hv-legend-panel", role: "region", "aria-label": "Legend" },
    definitions(SIGNS.map(([sign, tone, meaning]) => [html("code", { "data-tone": tone }, sign), meaning])),
    definitions(KEYS.map(([keys, effect]) => [keys, effect])),
  );
  panel.hidden = true;
  el.append(panel, toggle);

  const show = (isShown: boolean): void => {
    panel.hidden = !isShown;
    toggle.setAttribute("aria-expanded", String(isShown));
  };
  toggle.addEventListener("click", () => show(panel.hidden !== false), { signal });
  el.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || panel.hidden !== false) return;
      event.preventDefault();
      show(false);
      toggle.focus();
    },
    { signal },
  );
}

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

function definitions(rows: readonly [term: Node | string, meaning: string][]): HTMLElement {
  return html("dl", {}, ...rows.flatMap(([term, meaning]) => [html("dt", {}, term), html("dd", {}, meaning)]));
}
