/** The border between the hooks and the diagram, which a pointer or the arrow keys move. */

import { html } from "./element";
import { onResize } from "./lifetime";

const NARROWEST_PX = 200;
const WIDEST_PX = 560;
const STEP_PX = 16;

/**
 * A separator that sets how wide the pane is, in the grid of both; a double click gives back the
 * width that the pane has by itself.
 *
 * https://www.w3.org/WAI/ARIA/apg/patterns/windowsplitter/
 */
export function mountPaneDivider(el: HTMLElement, pane: HTMLElement, signal: AbortSignal): void {
  const divider = html("div", {
    class: "hv-divider",
    role: "separator",
    tabindex: 0,
    "aria-orientation": "vertical",
    "aria-label": "Width of the hooks",
    "aria-valuemin": NARROWEST_PX,
    "aria-valuemax": WIDEST_PX,
    title: "Drag to make the hooks wider; double click for the width from before",
  });
  el.append(divider);
  let grip: { x: number; width: number } | null = null;

  const widthNow = (): number => pane.getBoundingClientRect().width;
  const announce = (width: number): void => divider.setAttribute("aria-valuenow", String(Math.round(width)));
  const resize = (wanted: number): void => {
    const width = Math.min(WIDEST_PX, Math.max(NARROWEST_PX, wanted));
    el.style.setProperty("--hv-hooks-width", `${width}px`);
    announce(width);
  };
  const reset = (): void => {
    el.style.removeProperty("--hv-hooks-width");
    announce(widthNow());
  };
  const towardsEnd = (): 1 | -1 => (getComputedStyle(el).direction === "rtl" ? -1 : 1);

  onResize(signal, pane, () => announce(widthNow()));
  divider.addEventListener("dblclick", reset, { signal });
  divider.addEventListener(
    "pointerdown",
    (event) => {
      if (event.button !== 0) return;
      divider.setPointerCapture(event.pointerId);
      grip = { x: event.clientX, width: widthNow() };
    },
    { signal },
  );
  divider.addEventListener(
    "pointermove",
    ({ clientX }) => {
      if (grip !== null) resize(grip.width + (clientX - grip.x) * towardsEnd());
    },
    { signal },
  );
  for (const end of ["pointerup", "pointercancel"]) {
    divider.addEventListener(
      end,
      () => {
        grip = null;
      },
      { signal },
    );
  }
  divider.addEventListener(
    "keydown",
    (event) => {
      const step = { ArrowLeft: -STEP_PX, ArrowRight: STEP_PX, Home: -WIDEST_PX, End: WIDEST_PX }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      resize(widthNow() + step * (event.key.startsWith("Arrow") ? towardsEnd() : 1));
    },
    { signal },
  );
}
