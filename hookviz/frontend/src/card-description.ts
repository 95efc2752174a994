/** What else is told of a card to who hears it: words of several parts, each of which changes by itself. */

type Part = "finding" | "colour";

const ORDER: readonly Part[] = ["finding", "colour"];

const told = new WeakMap<Element, Partial<Record<Part, string>>>();

/** Tells this of the element beside its name; empty text takes it back. */
export function describeCard(element: Element, part: Part, words: string): void {
  const parts = { ...told.get(element), [part]: words };
  told.set(element, parts);
  const all = ORDER.flatMap((each) => parts[each] || []).join(". ");
  if (all === "") element.removeAttribute("aria-description");
  else if (element.getAttribute("aria-description") !== all) element.setAttribute("aria-description", all);
}
