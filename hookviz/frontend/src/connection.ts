/** Whether a kernel stands behind the view. */

import { type ReadonlySignal, Signal } from "@preact/signals-core";

/** ipywidgets puts this class on the node of every view whose comm is gone, and takes it off again. */
const DISCONNECTED = "jupyter-widgets-disconnected";

/** How often to look whether the kernel was shut down: ipywidgets tells of a restart, but not of that. */
export const LOOK_MS = 2000;

export interface Connection {
  /** True until the host says otherwise; hosts that say nothing are taken to have a kernel. */
  readonly isConnected: ReadonlySignal<boolean>;
  /**
   * Sends to Python, and gives whether it could. A kernel that was restarted has closed the comm of the view:
   * then sending throws, whatever the host says, and no answer can come any more.
   */
  attempt(send: () => void): boolean;
}

export function followConnection(el: HTMLElement, manager: unknown, signal: AbortSignal): Connection {
  const isConnected = new Signal(true);
  let isClosed = false;
  let wasMarked = false;
  const update = () => {
    const isMarked = el.classList.contains(DISCONNECTED);
    // The host takes its mark off again once it has opened the comm anew.
    if (wasMarked && !isMarked) isClosed = false;
    wasMarked = isMarked;
    isConnected.value = !isMarked && !isClosed && hasKernel(manager);
  };
  update();
  const forget = onRestart(manager, () => {
    isClosed = true;
    update();
  });
  const observer = new MutationObserver(update);
  observer.observe(el, { attributes: true, attributeFilter: ["class"] });
  const timer = setInterval(update, LOOK_MS);
  signal.addEventListener(
    "abort",
    () => {
      observer.disconnect();
      clearInterval(timer);
      forget();
    },
    { once: true },
  );
  return {
    isConnected,
    attempt(send) {
      try {
        send();
        return true;
      } catch {
        isClosed = true;
        update();
        return false;
      }
    },
  };
}

interface StatusSignal {
  connect(slot: (sender: unknown, status: unknown) => void): unknown;
  disconnect(slot: (sender: unknown, status: unknown) => void): unknown;
}

/** Calls when the notebook's kernel restarts, which closes all its comms; gives what ends that. */
function onRestart(manager: unknown, call: () => void): () => void {
  const kernel = kernelOf(manager);
  if (typeof kernel !== "object" || kernel === null || !("statusChanged" in kernel)) return () => {};
  const changed = kernel.statusChanged as StatusSignal;
  const slot = (_sender: unknown, status: unknown) => {
    if (status === "restarting" || status === "autorestarting") call();
  };
  changed.connect(slot);
  return () => changed.disconnect(slot);
}

/** JupyterLab's widget manager has the notebook's kernel connection as `kernel`, null after it was shut down. */
export function hasKernel(manager: unknown): boolean {
  const kernel = kernelOf(manager);
  if (kernel === null) return false;
  return !(typeof kernel === "object" && "status" in kernel && kernel.status === "dead");
}

function kernelOf(manager: unknown): unknown {
  return typeof manager === "object" && manager !== null && "kernel" in manager ? manager.kernel : undefined;
}
