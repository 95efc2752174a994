/** Folds and unfolds containers so that the place under the pointer stays where it was. */

import { type Cards, cardOf, shownCard } from "./cards";
import type { Point } from "./framing";
import type { GroupWire, NodeWire } from "./graph-wire";
import type { Card, Picture } from "./svg-picture";

/** A spot of the pane at which a card is to be found again after the next layout. */
export interface Anchor {
  id: string;
  at: Point;
}

/** Where a card is held: its fold mark, which the folded and the unfolded form share, else its corner. */
export function holdOf(card: Card): Element {
  return card.element.querySelector(".hv-fold-target") ?? card.shape;
}

export function anchorOf(card: Card, scroller: HTMLElement): Anchor {
  const hold = holdOf(card).getBoundingClientRect();
  const pane = scroller.getBoundingClientRect();
  return { id: card.id, at: { x: hold.left - pane.left, y: hold.top - pane.top } };
}

/** The card nearest to the middle of the pane that the next picture still has. */
export function centralAnchor(before: Picture, after: Picture, scroller: HTMLElement): Anchor | null {
  const pane = scroller.getBoundingClientRect();
  const middle = { x: pane.left + pane.width / 2, y: pane.top + pane.height / 2 };
  let best: Card | null = null;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const card of before.cards.values()) {
    if (!after.cards.has(card.id)) continue;
    const box = card.shape.getBoundingClientRect();
    const distance = Math.hypot((box.left + box.right) / 2 - middle.x, (box.top + box.bottom) / 2 - middle.y);
    if (distance < bestDistance) {
      best = card;
      bestDistance = distance;
    }
  }
  return best === null ? null : anchorOf(best, scroller);
}

/** Where the picture's corner must lie in the pane for the anchored card, or what holds it now, to be where it was. */
export function originFor(anchor: Anchor, cards: Cards): Point | null {
  const card = shownCard(cards, anchor.id);
  if (card === null || cards.picture === null) return null;
  const hold = holdOf(card).getBoundingClientRect();
  const corner = cards.picture.root.getBoundingClientRect();
  return { x: anchor.at.x - (hold.left - corner.left), y: anchor.at.y - (hold.top - corner.top) };
}

/** What stays where it is when all is laid out anew: what the pointer is on, else the selection if it is in sight. */
export function cardToHold(cards: Cards, selected: string, scroller: HTMLElement): Card | null {
  const pointed = cardOf(cards, scroller.querySelector("g[data-node]:hover"));
  if (pointed !== null) return pointed;
  const card = shownCard(cards, selected);
  if (card === null) return null;
  const [box, pane] = [card.shape.getBoundingClientRect(), scroller.getBoundingClientRect()];
  const isInSight = box.right > pane.left && box.left < pane.right && box.bottom > pane.top && box.top < pane.bottom;
  return isInSight ? card : null;
}

/** What to ask for to fold or unfold an item, null where it cannot be. */
export function foldRequest(item: NodeWire | GroupWire): { path: string; expanded: boolean } | null {
  if (!("kind" in item)) return { path: item.path, expanded: false };
  if (item.is_taken_out) return { path: item.path, expanded: false };
  return item.is_foldable ? { path: item.path, expanded: true } : null;
}
