/** The inspector pane: what flowed at the selected node. */

import { type Context, findSelected, selectedPath } from "./context";
import { html } from "./element";
import { mountEntries } from "./entries";
import { createInspection, type Inspection } from "./inspection";
import { mountInspectorHeader } from "./inspector-header";
import { mountTabs, tabPanelId } from "./inspector-tabs";
import { follow } from "./lifetime";
import { mountPythonLine } from "./python-line";
import { mountTensor } from "./tensor";
import { mountValues } from "./values";

export function mountInspector(el: HTMLElement, context: Context, signal: AbortSignal): void {
  const inspection = createInspection(context, signal);
  const empty = html("p", { class: "hv-empty" });
  const content = html("div", { class: "hv-inspection" });
  el.append(empty, content);

  const header = html("header", { class: "hv-inspector-header" });
  const notes = html("ul", { class: "hv-notes" });
  const tabs = html("div", { class: "hv-tabs", role: "tablist", "aria-label": "What to look at" });
  const entries = html("div", { class: "hv-entries" });
  const tensor = html("div", { class: "hv-tensor" });
  const values = html("section", { class: "hv-values", "aria-label": "Values" });
  const python = html("div", { class: "hv-python" });
  const panel = html(
    "div",
    { class: "hv-panel", role: "tabpanel", id: tabPanelId(tabs) },
    entries,
    tensor,
    values,
    python,
  );
  content.append(header, notes, tabs, panel);

  mountInspectorHeader(header, inspection, signal);
  mountTabs(tabs, panel, inspection, signal);
  mountEntries(entries, inspection, signal);
  mountTensor(tensor, inspection, signal);
  mountValues(values, context, inspection, signal);
  mountPythonLine(python, inspection, signal);

  follow(signal, () => {
    const shown = inspection.shown.value;
    content.hidden = shown === null;
    empty.hidden = shown !== null;
    empty.textContent = emptyText(context);
    notes.replaceChildren(...noteTexts(inspection).map((note) => html("li", {}, note)));
    notes.hidden = notes.childElementCount === 0;
  });
}

function emptyText(context: Context): string {
  if (selectedPath(context) === null && findSelected(context) === null) return "Click a module to look inside.";
  return context.isConnected.value ? "Looking inside …" : "There is no kernel to look inside.";
}

function noteTexts({ shown }: Inspection): string[] {
  const { notes = [], off = [] } = shown.value ?? {};
  return off.length === 0 ? notes : [...notes, `Switched off here: ${off.join(", ")}.`];
}
