/** The diagram pane: the picture with live values, a selection, folding, zoom and keys. */

import { computed } from "@preact/signals-core";
import { type Cards, focusedCard, markCards, shownCard } from "./cards";
import type { Context } from "./context";
import { handleKeys } from "./diagram-keys";
import { panByDragging } from "./dragging";
import { html } from "./element";
import { type Anchor, anchorOf, centralAnchor, foldRequest, originFor } from "./folding";
import { follow, perFrame } from "./lifetime";
import { attributeId, type Card, readPicture } from "./svg-picture";
import { createViewport } from "./viewport";
import { mountZoomBar } from "./zoom-bar";

export function mountDiagram(el: HTMLElement, context: Context, signal: AbortSignal): void {
  const { traits, kernel } = context;
  const stage = html("div", { class: "hv-stage" });
  const scroller = html("div", { class: "hv-scroller" }, stage);
  const hint = html("p", { class: "hv-hint" });
  const zoomBar = html("div", { class: "hv-zoom", role: "group", "aria-label": "Zoom" });
  el.append(scroller, hint, zoomBar);

  const viewport = createViewport(scroller, stage, signal);
  panByDragging(scroller, signal);
  mountZoomBar(zoomBar, viewport, signal);

  const items = computed(() => {
    const { nodes, groups } = traits.graph.value;
    return new Map([...nodes, ...groups].map((item) => [attributeId(item.id), item]));
  });
  const cards: Cards = { picture: null, tabStop: "" };
  /** The card that is being folded, where the pointer found it. */
  let held: Anchor | null = null;

  const fold = async (card: Card): Promise<void> => {
    const item = items.peek().get(card.id);
    const asked = item === undefined ? null : foldRequest(item);
    if (asked === null) return;
    held = anchorOf(card, scroller);
    const answer = await kernel.request({ command: "fold", ...asked }, "fold");
    if (answer === null) held = null;
  };
  const select = (card: Card): void => {
    const item = items.peek().get(card.id);
    if (item !== undefined) context.select(item.id);
  };

  follow(signal, () => {
    const next = readPicture(traits.svg.value);
    const before = cards.picture;
    const focused = focusedCard(cards);
    const isMoved = viewport.isTouched.peek() && next !== null && before !== null;
    const anchor = held ?? (isMoved ? centralAnchor(before, next, scroller) : null);
    held = null;
    cards.picture = next;
    stage.replaceChildren();
    if (next === null) return;
    viewport.show(next.root, next.size, () => (anchor === null ? null : originFor(anchor, next)));
    if (focused !== null) next.cards.get(focused.id)?.element.focus({ preventScroll: true });
  });

  const paint = perFrame(signal, () => markCards(cards, items.peek(), traits));
  follow(signal, () => {
    // Read here, so that a change of any of them is drawn with the next frame.
    void [traits.svg.value, items.value, traits.node_data.value, traits.selected.value];
    paint();
  });
  follow(signal, () => {
    hint.textContent = hintText(traits.svg.value, traits.graph.value.is_traced, traits.status.value.message);
    hint.hidden = hint.textContent === "";
  });
  // What the user clicked is in sight, until a drawer opens; what another view selected may not be.
  const reveal = perFrame(signal, () => {
    const card = shownCard(cards, traits.selected.peek());
    if (card !== null && scroller.clientWidth > 0) viewport.reveal(card.shape.getBoundingClientRect());
  });
  follow(signal, () => {
    void [traits.selected.value, context.openDrawer.value];
    reveal();
  });

  const cardAt = (event: Event): Card | null => {
    const element = event.target instanceof Element ? event.target.closest<SVGGElement>("g[data-node]") : null;
    return cards.picture?.cards.get(element?.dataset.node ?? "") ?? null;
  };
  scroller.addEventListener(
    "click",
    (event) => {
      const card = cardAt(event);
      if (card === null) return;
      card.element.focus({ preventScroll: true });
      if (isFoldMark(event.target)) void fold(card);
      else select(card);
    },
    { signal },
  );
  scroller.addEventListener(
    "dblclick",
    (event) => {
      const card = cardAt(event);
      if (card !== null && !isFoldMark(event.target)) void fold(card);
    },
    { signal },
  );
  handleKeys(scroller, { cards, items, traits, viewport, select, fold }, signal);
}

function isFoldMark(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches(".hv-fold, .hv-fold-target");
}

function hintText(svg: string, isTraced: boolean, message: string): string {
  if (svg === "") return message || "There is no picture yet.";
  return isTraced ? "" : "Only the structure is known. Run the model to see what flows through it.";
}
