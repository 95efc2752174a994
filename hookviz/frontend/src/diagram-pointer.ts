/** Clicks in the diagram: one selects, two fold or unfold, and so does one on a fold mark. */

import { type CardActions, type Cards, cardOf } from "./cards";

export function handlePointer(scroller: HTMLElement, cards: Cards, actions: CardActions, signal: AbortSignal): void {
  scroller.addEventListener(
    "click",
    ({ target }) => {
      const card = cardOf(cards, target);
      if (card === null) return;
      card.element.focus({ preventScroll: true });
      if (isFoldMark(target)) void actions.fold(card);
      else actions.select(card);
    },
    { signal },
  );
  scroller.addEventListener(
    "dblclick",
    ({ target }) => {
      const card = cardOf(cards, target);
      if (card !== null && !isFoldMark(target)) void actions.fold(card);
    },
    { signal },
  );
}

function isFoldMark(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches(".hv-fold, .hv-fold-target");
}
