/** Whether a kernel stands behind the view. */

import { type ReadonlySignal, Signal } from "@preact/signals-core";

/** ipywidgets puts this class on the node of every view whose comm is gone, and takes it off again. */
const DISCONNECTED = "jupyter-widgets-disconnected";

/** True until the host says otherwise; hosts other than Jupyter never do. */
export function followConnection(el: HTMLElement, signal: AbortSignal): ReadonlySignal<boolean> {
  const isConnected = new Signal(true);
  const update = () => {
    isConnected.value = !el.classList.contains(DISCONNECTED);
  };
  update();
  const observer = new MutationObserver(update);
  observer.observe(el, { attributes: true, attributeFilter: ["class"] });
  signal.addEventListener("abort", () => observer.disconnect(), { once: true });
  return isConnected;
}
