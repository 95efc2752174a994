/** Buttons for the zoom, at the diagram's corner. */

import { button } from "./element";
import { follow } from "./lifetime";
import type { Viewport } from "./viewport";

export function mountZoomBar(el: HTMLElement, viewport: Viewport, signal: AbortSignal): void {
  const smaller = button("−", { "aria-label": "Zoom out", title: "Zoom out (−)" });
  const actual = button("100 %", { title: "Show at 100 % (0)", class: "hv-zoom-level" });
  const larger = button("+", { "aria-label": "Zoom in", title: "Zoom in (+)" });
  const fit = button("Fit", { title: "Show as much of the diagram as can be read (f)" });
  el.append(smaller, actual, larger, fit);
  smaller.addEventListener("click", () => viewport.step(-1), { signal });
  actual.addEventListener("click", () => viewport.zoomTo(1), { signal });
  larger.addEventListener("click", () => viewport.step(1), { signal });
  fit.addEventListener("click", () => viewport.fit(), { signal });
  follow(signal, () => {
    const percent = `${Math.round(viewport.scale.value * 100)} %`;
    actual.textContent = percent;
    actual.setAttribute("aria-label", `Zoom is ${percent}, show at 100 %`);
  });
}
