/** Names of elements for a screen reader, which reads a name aloud that changes under the focus. */

/** As long as a sentence takes to be heard. */
export const SENTENCE_MS = 4000;

const next = new WeakMap<Element, string>();

/** Names the element; what has the focus and a name gets the newest name at most once per sentence. */
export function nameAloud(element: Element, name: string): void {
  if (next.has(element)) next.set(element, name);
  else if (element.getAttribute("aria-label") === name) return;
  else if (document.activeElement !== element || !element.hasAttribute("aria-label")) {
    element.setAttribute("aria-label", name);
  } else {
    next.set(element, name);
    setTimeout(() => {
      element.setAttribute("aria-label", next.get(element) ?? name);
      next.delete(element);
    }, SENTENCE_MS);
  }
}
