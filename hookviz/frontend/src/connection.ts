/** Whether a kernel stands behind the view. */

import { type ReadonlySignal, Signal } from "@preact/signals-core";

/** ipywidgets puts this class on the node of every view whose comm is gone, and takes it off again. */
const DISCONNECTED = "jupyter-widgets-disconnected";

/** How often to look whether the kernel was shut down: ipywidgets tells of a restart, but not of that. */
export const LOOK_MS = 2000;

/** True until the host says otherwise; hosts that say nothing are taken to have a kernel. */
export function followConnection(el: HTMLElement, manager: unknown, signal: AbortSignal): ReadonlySignal<boolean> {
  const isConnected = new Signal(true);
  const update = () => {
    isConnected.value = !el.classList.contains(DISCONNECTED) && hasKernel(manager);
  };
  update();
  const observer = new MutationObserver(update);
  observer.observe(el, { attributes: true, attributeFilter: ["class"] });
  const timer = setInterval(update, LOOK_MS);
  signal.addEventListener(
    "abort",
    () => {
      observer.disconnect();
      clearInterval(timer);
    },
    { once: true },
  );
  return isConnected;
}

/** JupyterLab's widget manager has the notebook's kernel connection as `kernel`, null after it was shut down. */
export function hasKernel(manager: unknown): boolean {
  if (typeof manager !== "object" || manager === null || !("kernel" in manager)) return true;
  const { kernel } = manager;
  if (kernel === null) return false;
  return !(typeof kernel === "object" && kernel !== undefined && "status" in kernel && kernel.status === "dead");
}
