/** Lets the cards of a new layout glide from where they were, so that the eye can follow. */

import type { Card, Picture } from "./svg-picture";

const DURATION_MS = 180;
/** More would not be followed by the eye, and take the time of the frames that show them. */
const MOST_CARDS = 250;

/** Where the corners of cards lie on the page, by id. */
export type Places = ReadonlyMap<string, DOMRect>;

/** The places of the cards that are in sight; null where nothing is to move. */
export function placesInSight(picture: Picture | null, scroller: HTMLElement): Places | null {
  if (picture === null || !mayMove() || scroller.clientWidth === 0) return null;
  const pane = scroller.getBoundingClientRect();
  const places = new Map<string, DOMRect>();
  for (const card of picture.cards.values()) {
    const box = card.shape.getBoundingClientRect();
    if (isIn(box, pane)) places.set(card.id, box);
    if (places.size > MOST_CARDS) return null;
  }
  return places;
}

/**
 * Moves the cards from their old places to the new ones, and fades in what is new.
 */
export function glide(before: Places, { root, cards, edges }: Picture, scroller: HTMLElement, scale: number): void {
  const pane = scroller.getBoundingClientRect();
  const moving: [Card, DOMRect, DOMRect | undefined][] = [];
  for (const card of cards.values()) {
    const now = card.shape.getBoundingClientRect();
    const then = before.get(card.id);
    if (then !== undefined || isIn(now, pane)) moving.push([card, now, then]);
    if (moving.length > MOST_CARDS) return;
  }
  for (const [card, now, then] of moving) {
    if (then === undefined) appear(card.element);
    else if (now.x !== then.x || now.y !== then.y) {
      const by = `translate(${(then.x - now.x) / scale}px, ${(then.y - now.y) / scale}px)`;
      animate(card.element, [{ transform: by }, { transform: "none" }]);
    }
  }
  for (const element of [...edges, ...root.querySelectorAll(".hv-backdrop")]) appear(element);
}

function appear(element: Element): void {
  animate(element, [{ opacity: 0 }, { opacity: 1 }]);
}

function animate(element: Element, frames: Keyframe[]): void {
  element.animate(frames, { duration: DURATION_MS, easing: "cubic-bezier(0.2, 0, 0, 1)" });
}

function mayMove(): boolean {
  return !document.hidden && !window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function isIn(box: DOMRect, pane: DOMRect): boolean {
  return box.right > pane.left && box.left < pane.right && box.bottom > pane.top && box.top < pane.bottom;
}
