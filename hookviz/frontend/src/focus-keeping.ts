/** Keeps the focus in the picture when that is drawn anew: lost, it would end in the host, where letters are commands. */

import { type Cards, focusedCard, shownCard } from "./cards";
import { pillElements } from "./pills";

/** The card or the pill that has the focus. */
export interface HeldFocus {
  card: string;
  /** The hooks of the pill, undefined where it is on the card itself. */
  hooks: string | undefined;
}

/** Where the focus is in the picture, null where it is elsewhere. */
export function heldFocus(cards: Cards): HeldFocus | null {
  const card = focusedCard(cards);
  const pill = document.activeElement?.closest<SVGGElement>("g[data-hooks]");
  return card === null ? null : { card: card.id, hooks: pill?.dataset.hooks };
}

/** Focuses the same in the present picture, else the card that holds it now, else the first. */
export function giveFocus(cards: Cards, { card: id, hooks }: HeldFocus): void {
  const card = shownCard(cards, id) ?? [...(cards.picture?.cards.values() ?? [])].find(({ isGroup }) => !isGroup);
  if (card === undefined) return;
  const pill = card.id === id ? pillElements(card).find((each) => each.dataset.hooks === hooks) : undefined;
  const element = pill ?? card.element;
  if (!element.hasAttribute("tabindex")) element.setAttribute("tabindex", "-1");
  element.focus({ preventScroll: true });
}
