/** Letters that lead from pane to pane: `d` to the diagram, `h` to the hooks, `i` to the inspector. */

import type { Context } from "./context";
import { focusChosenTab } from "./inspector-tabs";
import { isTyping } from "./keyboard-guard";
import { attributeId } from "./svg-picture";

export interface Panes {
  switches: HTMLElement;
  diagram: HTMLElement;
  inspector: HTMLElement;
}

export function handlePaneKeys(el: HTMLElement, panes: Panes, context: Context, signal: AbortSignal): void {
  // They take the focus as a whole, so that the next Tab leads to their first control.
  for (const pane of [panes.switches, panes.inspector]) pane.tabIndex = -1;
  el.addEventListener(
    "keydown",
    (event) => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "d") focusDiagram(panes.diagram);
      else if (event.key === "h") goToHooks(panes.switches, context);
      else if (event.key === "i") goToInspector(panes.inspector, context);
      else return;
      event.preventDefault();
    },
    { signal },
  );
}

/** The card that Tab leads to; in a picture that is new, and has none yet, the first. */
export function focusDiagram(diagram: ParentNode): void {
  const card = diagram.querySelector<SVGElement>("[data-node][tabindex='0']") ?? diagram.querySelector(".hv-node");
  if (card instanceof SVGElement) card.focus({ preventScroll: true });
}

function goToHooks(pane: HTMLElement, { isNarrow, openDrawer }: Context): void {
  if (isNarrow.peek()) openDrawer.value = "switches";
  pane.focus();
}

function goToInspector(pane: HTMLElement, context: Context): void {
  const { isNarrow, openDrawer, isInspecting, traits } = context;
  const card = document.activeElement?.closest<SVGElement>("[data-node]")?.dataset.node;
  const { nodes, groups } = traits.graph.peek();
  const item = [...nodes, ...groups].find(({ id }) => attributeId(id) === card);
  if (item !== undefined) context.select(item.id);
  if (traits.selected.peek() === "") return;
  if (isNarrow.peek()) openDrawer.value = "inspector";
  else isInspecting.value = true;
  pane.focus();
  focusChosenTab(pane);
}
