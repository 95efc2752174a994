/** Within the gradient tab: that of what the module returned, or of what it was given. */

import { button, html } from "./element";
import type { Inspection } from "./inspection";
import { tabHint } from "./learner";
import { follow } from "./lifetime";
import type { Tab } from "./wire";

export type GradientTab = "grad_output" | "grad_input";

const SIDES: readonly [GradientTab, string][] = [
  ["grad_output", "of the output"],
  ["grad_input", "of the input"],
];

export function isGradientTab(tab: Tab | undefined): tab is GradientTab {
  return tab === "grad_output" || tab === "grad_input";
}

export function mountGradientSide(el: HTMLElement, inspection: Inspection, signal: AbortSignal): void {
  const buttons = SIDES.map(([side, name]) => button(name, { "data-side": side, title: tabHint(side) }));
  el.append(html("div", { class: "hv-forms", role: "group", "aria-label": "Gradient" }, ...buttons));
  follow(signal, () => {
    const { tab, tabs = [] } = inspection.shown.value ?? {};
    el.hidden = !isGradientTab(tab) || tabs.filter(isGradientTab).length < 2;
    for (const each of buttons) each.setAttribute("aria-pressed", String(each.dataset.side === tab));
  });
  el.addEventListener(
    "click",
    ({ target }) => {
      const side = SIDES.find(([each]) => target instanceof HTMLElement && target.dataset.side === each);
      if (side !== undefined) inspection.chooseTab(side[0]);
    },
    { signal },
  );
}
