/** Keeps the host's one-letter shortcuts off the keys that are pressed inside the widget. */

/** Lumino, JupyterLab's shell, matches no shortcut below an element with this attribute. */
const SUPPRESS = "data-lm-suppress-shortcuts";

/**
 * While something in the widget has the focus, plain keys stay in it: JupyterLab would take `d d` for
 * "delete the cell". Chords such as Ctrl+S and Shift+Enter still reach the host.
 */
export function guardKeys(root: HTMLElement, signal: AbortSignal): void {
  root.setAttribute(SUPPRESS, "true");
  root.addEventListener(
    "keydown",
    (event) => {
      if (!isForHost(event)) return;
      root.removeAttribute(SUPPRESS);
      // The host listens further up in this same dispatch; a microtask would run before it.
      setTimeout(() => root.setAttribute(SUPPRESS, "true"));
    },
    { signal, capture: true },
  );
  root.addEventListener(
    "keydown",
    (event) => {
      if (!isForHost(event)) event.stopPropagation();
    },
    { signal },
  );
}

export function isForHost(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && event.key === "Enter");
}
