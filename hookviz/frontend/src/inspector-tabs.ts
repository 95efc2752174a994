/** The inspector's tabs: those that make sense for the node, and the hooks and the past of a module. */

import { button } from "./element";
import { isGradientTab } from "./gradient-side";
import type { Inspection } from "./inspection";
import { GRADIENT_HINT, HISTORY_HINT, HOOKS_HINT, tabHint } from "./learner";
import { follow } from "./lifetime";
import type { Tab } from "./wire";

/** Both gradients of a module share a tab. */
type Choice = Exclude<Tab, "grad_output" | "grad_input"> | "gradient" | "hooks" | "history";

const NAMES: Record<Choice, string> = {
  input: "Input",
  output: "Output",
  gradient: "Gradient",
  parameters: "Params",
  hooks: "Hooks",
  history: "History",
};

let panels = 0;

/** An id for the panel that the tabs control; several views of a page must not share one. */
export function tabPanelId(tabs: HTMLElement): string {
  panels += 1;
  tabs.dataset.panel = `hookviz-panel-${panels}`;
  return tabs.dataset.panel;
}

export function mountTabs(el: HTMLElement, panel: HTMLElement, inspection: Inspection, signal: AbortSignal): void {
  let drawn = "";
  follow(signal, () => {
    const { tabs: there = [], node_id = "" } = inspection.shown.value ?? {};
    const past: Choice[] = inspection.hasHistory.value ? ["history"] : [];
    const flowed = [...new Set(there.map(choiceOf))];
    const tabs = node_id.startsWith("module:") ? [...flowed, "hooks" as const, ...past] : flowed;
    const tab = chosenOf(inspection);
    // Drawn anew only where they differ, so that the focus stays.
    if (drawn !== tabs.join()) {
      drawn = tabs.join();
      el.replaceChildren(...tabs.map((each) => tabButton(each, panel.id)));
    }
    for (const each of el.querySelectorAll<HTMLElement>("[role=tab]")) {
      const isChosen = each.dataset.tab === tab;
      each.setAttribute("aria-selected", String(isChosen));
      each.tabIndex = isChosen ? 0 : -1;
    }
    panel.setAttribute("aria-label", tab === undefined ? "" : NAMES[tab]);
    panel.dataset.tone = tab === "gradient" ? "gradient" : "value";
  });

  const choose = (target: EventTarget | null): void => {
    const choice = target instanceof HTMLElement ? target.dataset.tab : undefined;
    if (choice !== undefined) inspection.chooseTab(tabOf(choice as Choice, inspection));
  };
  el.addEventListener("click", (event) => choose(event.target), { signal });
  // https://www.w3.org/WAI/ARIA/apg/patterns/tabs/
  el.addEventListener(
    "keydown",
    (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      const all = [...el.querySelectorAll<HTMLElement>("[role=tab]")];
      const at = all.findIndex((each) => each.matches(":focus"));
      if (step === undefined || at < 0) return;
      event.preventDefault();
      const next = all[(at + step + all.length) % all.length];
      next?.focus();
      choose(next ?? null);
    },
    { signal },
  );
}

/** From the chosen tab arrows lead to the others; where there is none yet the focus stays. */
export function focusChosenTab(pane: HTMLElement): void {
  pane.querySelector<HTMLElement>("[role=tab][aria-selected=true]")?.focus();
}

function choiceOf(tab: Tab): Choice {
  return isGradientTab(tab) ? "gradient" : tab;
}

/** The tab behind a choice; of gradients the one that is shown, else the first that there is. */
function tabOf(choice: Choice, { shown }: Inspection): Tab | "hooks" | "history" {
  if (choice !== "gradient") return choice;
  const { tab, tabs = [] } = shown.peek() ?? {};
  return isGradientTab(tab) ? tab : (tabs.find(isGradientTab) ?? "grad_output");
}

function chosenOf({ isHooks, isHistory, shown }: Inspection): Choice | undefined {
  if (isHooks.value) return "hooks";
  if (isHistory.value) return "history";
  return shown.value === null ? undefined : choiceOf(shown.value.tab);
}

function hintOf(tab: Choice): string {
  switch (tab) {
    case "hooks":
      return HOOKS_HINT;
    case "history":
      return HISTORY_HINT;
    case "gradient":
      return GRADIENT_HINT;
    default:
      return tabHint(tab);
  }
}

function tabButton(tab: Choice, panelId: string): HTMLButtonElement {
  const title = hintOf(tab);
  return button(NAMES[tab], { role: "tab", "data-tab": tab, "aria-controls": panelId, title });
}
