/** Catches the focus when what had it goes: lost, it would end in the host, where letters are commands. */

import { focusDiagram } from "./pane-keys";

type Focusable = HTMLElement | SVGElement;

const WORKS = "button:not(:disabled, [hidden]), [tabindex='0']:not([hidden])";

/** A button may remove, hide or disable itself, as "Back to live" and the steps of the path do. */
export function catchFocus(root: HTMLElement, signal: AbortSignal): void {
  let last: Focusable | null = null;
  root.addEventListener(
    "focusin",
    ({ target }) => {
      if (target instanceof HTMLElement || target instanceof SVGElement) last = target;
    },
    { signal },
  );
  root.addEventListener(
    "focusout",
    ({ target }) => {
      // Chromium tells of it before it removes what had the focus; only afterwards is it seen who took it away.
      queueMicrotask(() => {
        if (target === last && last !== null && !isGone(last) && !root.contains(document.activeElement)) last = null;
      });
    },
    { signal },
  );
  const observer = new MutationObserver(() => {
    const { activeElement } = document;
    const isLost = activeElement === document.body || activeElement === null || activeElement === last;
    if (last === null || !isLost || !isGone(last)) return;
    const lost = last;
    last = null;
    takeUp(root, lost);
  });
  observer.observe(root, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ["hidden", "disabled", "style"],
  });
  signal.addEventListener("abort", () => observer.disconnect(), { once: true });
}

function isGone(element: Focusable): boolean {
  return (
    !element.isConnected ||
    element.closest("[hidden]") !== null ||
    element.matches(":disabled") ||
    getComputedStyle(element).visibility === "hidden"
  );
}

/** Beside what went, else on the card that Tab leads to, else on the widget as a whole. */
function takeUp(root: HTMLElement, lost: Focusable): void {
  const group = lost.closest<HTMLElement>("[role=group]");
  const beside = lost.isConnected ? [...(group?.querySelectorAll<Focusable>(WORKS) ?? [])] : [];
  beside.find((each) => !isGone(each))?.focus({ preventScroll: true });
  if (!root.contains(document.activeElement) || document.activeElement === lost) focusDiagram(root);
  if (root.contains(document.activeElement) && document.activeElement !== lost) return;
  root.tabIndex = -1;
  root.focus({ preventScroll: true });
}
