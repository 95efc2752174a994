/** Keeps the host's one-letter shortcuts off the keys that are pressed inside the widget. */

/** Lumino, the shell of JupyterLab and Notebook 7, matches no shortcut at or above an element with this attribute. */
const SUPPRESS = "data-lm-suppress-shortcuts";

/**
 * While something in the widget has the focus, plain keys stay in it: the host would take `d d` for
 * "delete the cell". Chords such as Ctrl+S and Shift+Enter still reach the host.
 */
export function guardKeys(root: HTMLElement, signal: AbortSignal): void {
  // Notebook 7 looks at keys while they travel down, so the window is the last place to be before it. The
  // attribute must be on the focused element itself: some of the host's shortcuts are bound to `:focus`.
  window.addEventListener(
    "keydown",
    (event) => {
      const { target } = event;
      if (target instanceof Element && root.contains(target)) target.toggleAttribute(SUPPRESS, !isForHost(event));
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

/** Whether a letter that is pressed there is written, and no command. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches("input, textarea, select");
}

export function isForHost(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && event.key === "Enter");
}
