/** Lights in the picture what was found: its card, or the folded container that holds it. */

import { type Cards, shownCard } from "./cards";
import type { Context } from "./context";
import { follow, perFrame } from "./lifetime";

export function lightHits(cards: Cards, { hits, traits }: Context, signal: AbortSignal): void {
  const light = perFrame(signal, () => {
    const lit = new Set(
      hits.peek().map((hit) => shownCard(cards, hit.node_id) ?? shownCard(cards, `module:${hit.path}`)),
    );
    for (const card of cards.picture?.cards.values() ?? []) card.element.classList.toggle("hv-hit", lit.has(card));
  });
  follow(signal, () => {
    // Read here, so that a new picture is lit as well.
    void [hits.value, traits.svg.value];
    light();
  });
}
