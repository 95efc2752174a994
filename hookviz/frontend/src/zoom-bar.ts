/** Buttons for the zoom and the direction, at the diagram's corner. */

import type { Context } from "./context";
import { button } from "./element";
import { follow } from "./lifetime";
import type { Viewport } from "./viewport";

/** What can be done with the layout as a whole. */
export interface LayoutActions {
  /** Lays out as before the last folding or turning. */
  goBack(): void;
  /** Lets data flow to the right instead of down, or down instead of to the right. */
  turn(): void;
  /** Shows what is selected as large as it fits. */
  focusSelection(): void;
}

interface Actions extends LayoutActions {
  context: Context;
}

export function mountZoomBar(
  el: HTMLElement,
  viewport: Viewport,
  { context, turn, focusSelection }: Actions,
  signal: AbortSignal,
): void {
  const smaller = button("−", { "aria-label": "Zoom out", title: "Zoom out (−)" });
  const actual = button("100 %", { title: "Show at 100 % (0)", class: "hv-zoom-level" });
  const larger = button("+", { "aria-label": "Zoom in", title: "Zoom in (+)" });
  const fit = button("Fit", { title: "Show as much of the diagram as can be read (f)" });
  const selection = button("", {
    "data-icon": "target",
    "aria-label": "Zoom to the selection",
    title: "Zoom to the selection (z)",
  });
  const direction = button("");
  el.append(smaller, actual, larger, fit, selection, direction);
  smaller.addEventListener("click", () => viewport.step(-1), { signal });
  actual.addEventListener("click", () => viewport.zoomTo(1), { signal });
  larger.addEventListener("click", () => viewport.step(1), { signal });
  fit.addEventListener("click", () => viewport.fit(), { signal });
  selection.addEventListener("click", focusSelection, { signal });
  direction.addEventListener("click", turn, { signal });
  follow(signal, () => {
    const percent = `${Math.round(viewport.scale.value * 100)} %`;
    actual.textContent = percent;
    actual.setAttribute("aria-label", `Zoom is ${percent}, show at 100 %`);
  });
  follow(signal, () => {
    const { selected, graph, status } = context.traits;
    selection.disabled = selected.value === "";
    const isDown = graph.value.direction === "TB";
    // The arrow shows which way data flows now.
    direction.textContent = isDown ? "↓" : "→";
    direction.title = `Lay out ${isDown ? "from left to right" : "from the top to the bottom"} (t)`;
    direction.setAttribute("aria-label", `Data flows ${isDown ? "down" : "to the right"}: lay out the other way`);
    // A recording has the layouts that it has.
    direction.hidden = status.value.state === "recorded";
  });
}
