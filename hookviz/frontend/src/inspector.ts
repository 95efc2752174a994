/** The inspector pane: what flowed at the selected node. */

import { mountCaptureHere } from "./capture-here";
import { mountCompare } from "./compare";
import { type Context, findSelected, selectedPath } from "./context";
import { html } from "./element";
import { mountEntries } from "./entries";
import { mountGradientSide } from "./gradient-side";
import { mountHealthNotes } from "./health-notes";
import { mountHistory } from "./history";
import { mountHooksTab } from "./hooks-tab";
import { createInspection, type Inspection } from "./inspection";
import { mountInspectorHeader } from "./inspector-header";
import { focusChosenTab, mountTabs, tabPanelId } from "./inspector-tabs";
import { tabHint } from "./learner";
import { follow, perMicrotask } from "./lifetime";
import { mountPythonLine } from "./python-line";
import { mountStepActions } from "./step-actions";
import { switchOf } from "./switch-state";
import { mountTensor } from "./tensor";
import { mountValues } from "./values";

export function mountInspector(el: HTMLElement, context: Context, signal: AbortSignal): void {
  const inspection = createInspection(context, signal);
  const empty = html("p", { class: "hv-empty" });
  const content = html("div", { class: "hv-inspection" });
  el.append(empty, content);

  const header = html("div", { class: "hv-inspector-header" });
  const notes = html("ul", { class: "hv-notes" });
  const health = html("ul", { class: "hv-health-notes" });
  const tabs = html("div", { class: "hv-tabs", role: "tablist", "aria-label": "What to look at" });
  const side = html("div", { class: "hv-gradient-side" });
  const hint = html("p", { class: "hv-tab-hint hv-muted" });
  const flowed = html("div");
  const hooks = html("div", { class: "hv-hooks-tab" });
  const entries = html("div", { class: "hv-entries" });
  const capture = html("div", { class: "hv-actions hv-capture-here" });
  const actions = html("div", { class: "hv-actions" });
  const bar = html("div", { class: "hv-compare-bar" });
  const compare = html("section", { class: "hv-compare", "aria-label": "Comparison of A and B" });
  const single = html("div");
  const tensor = html("div", { class: "hv-tensor" });
  const values = html("section", { class: "hv-values", "aria-label": "Values" });
  const history = html("section", { class: "hv-history", "aria-label": "History" });
  const python = html("div", { class: "hv-python" });
  single.append(tensor, capture, values, python);
  flowed.append(side, hint, entries, actions, single, compare);
  const panel = html("div", { class: "hv-panel", role: "tabpanel", id: tabPanelId(tabs) }, flowed, hooks, history);
  content.append(header, bar, health, notes, tabs, panel);

  mountInspectorHeader(header, inspection, signal);
  mountHealthNotes(health, context, signal);
  mountTabs(tabs, panel, inspection, signal);
  mountGradientSide(side, inspection, signal);
  mountEntries(entries, inspection, signal);
  mountCaptureHere(capture, context, inspection, signal);
  mountStepActions(actions, context, inspection, signal);
  const isComparing = mountCompare(bar, compare, context, inspection, signal);
  mountTensor(tensor, inspection, signal);
  const picture = mountValues(values, context, inspection, signal);
  mountHistory(history, context, inspection, signal);
  mountPythonLine(python, inspection, picture, signal);
  mountHooksTab(hooks, context, inspection, signal);

  // Who came here by a key waits on the pane for the answer, which brings the tabs.
  const handOnFocus = perMicrotask(signal, () => el.matches(":focus") && focusChosenTab(el));
  follow(signal, () => {
    const shown = inspection.shown.value;
    if (content.hidden && shown !== null) handOnFocus();
    content.hidden = shown === null;
    empty.hidden = shown !== null;
    empty.textContent = emptyText(context);
    notes.replaceChildren(...noteTexts(inspection).map((note) => html("li", {}, note)));
    notes.hidden = notes.childElementCount === 0;
    hint.textContent = shown === null ? "" : tabHint(shown.tab);
    flowed.hidden = inspection.isHooks.value || inspection.isHistory.value;
    history.hidden = !inspection.isHistory.value;
    single.hidden = isComparing.value;
  });
}

function emptyText(context: Context): string {
  if (selectedPath(context) === null && findSelected(context) === null) return "Click a module to look inside.";
  return context.isConnected.value ? "Looking inside …" : "There is no kernel to look inside.";
}

function noteTexts({ shown }: Inspection): string[] {
  const { notes = [], off = [], tab } = shown.value ?? {};
  const what = tab === undefined ? null : switchOf(tab);
  // Inputs are off by default; that is told only where one looks for them.
  return what !== null && off.includes(what) ? [...notes, `${sentenceStart(what)} are switched off here.`] : notes;
}

function sentenceStart(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
