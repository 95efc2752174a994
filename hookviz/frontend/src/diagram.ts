/** The diagram pane: the picture with live values, a selection, folding, zoom and keys. */

import { computed, type ReadonlySignal } from "@preact/signals-core";
import { mountBreadcrumb } from "./breadcrumb";
import { type CardActions, type Cards, type Items, markCards, rowsOf, shownCard } from "./cards";
import { mountColourLegend } from "./colour-legend";
import { keepColoured } from "./colour-paint";
import type { Context } from "./context";
import { handleKeys } from "./diagram-keys";
import { handlePointer } from "./diagram-pointer";
import { panByDragging } from "./dragging";
import { button, html } from "./element";
import { lightHits } from "./find-light";
import { giveFocus, heldFocus } from "./focus-keeping";
import { type Anchor, anchorOf, cardToHold, centralAnchor, foldRequest, originFor } from "./folding";
import { type Point, TOP_MIDDLE } from "./framing";
import type { Direction } from "./graph-wire";
import { keepHealthMarked } from "./health-badges";
import type { Request } from "./kernel";
import { follow, followChanges, perFrame } from "./lifetime";
import { mountMinimap } from "./minimap";
import { mountPills } from "./pill-actions";
import { attributeId, type Card, type Picture, readPicture } from "./svg-picture";
import { glide, placesInSight } from "./transition";
import { createViewport, type Viewport } from "./viewport";
import { type LayoutActions, mountZoomBar } from "./zoom-bar";

/** What the parts of the pane share. */
interface Stage {
  scroller: HTMLElement;
  viewport: Viewport;
  cards: Cards;
  items: ReadonlySignal<Items>;
  /** The card that stays where it is in the layout that was asked for. */
  held: Anchor | null;
}

export function mountDiagram(el: HTMLElement, context: Context, signal: AbortSignal): void {
  const canvas = html("div", { class: "hv-stage" });
  const scroller = html("div", { class: "hv-scroller" }, canvas);
  const hint = html("p", { class: "hv-hint" });
  const zoomBar = html("div", { class: "hv-zoom", role: "group", "aria-label": "Zoom" });
  const help = button("?", {
    class: "hv-help-button",
    "aria-label": "Help: keys and signs",
    title: "Keys and signs (?)",
  });
  const colours = html("div", { class: "hv-colours" });
  const breadcrumb = html("div", { class: "hv-breadcrumb" });
  const foot = html("div", { class: "hv-foot" }, help, colours, breadcrumb, zoomBar);
  el.append(hint, scroller, foot);

  const items = computed(() => {
    const { nodes, groups } = context.traits.graph.value;
    return new Map([...nodes, ...groups].map((item) => [attributeId(item.id), item]));
  });
  const viewport = createViewport(scroller, canvas, signal);
  const cards: Cards = { picture: null, tabStop: "", rows: computed(() => rowsOf(context.traits.graph.value)) };
  const stage: Stage = { scroller, viewport, cards, items, held: null };
  const actions = cardActions(stage, context);

  panByDragging(scroller, signal);
  mountZoomBar(zoomBar, viewport, { ...actions, context }, signal);
  mountBreadcrumb(breadcrumb, context, actions.goBack, signal);
  mountMinimap(el, foot, viewport, cards, context, signal);
  help.addEventListener(
    "click",
    () => {
      context.isHelpOpen.value = true;
    },
    { signal },
  );
  handlePointer(scroller, cards, actions, signal);
  handleKeys({ ...stage, ...actions, traits: context.traits }, signal);
  follow(signal, () => showPicture(stage, context.traits.svg.value, context.traits.graph.peek().direction));
  keepPainted(stage, context, signal);
  keepColoured(cards, items, viewport, context, signal);
  mountColourLegend(colours, context, signal);
  lightHits(cards, context, signal);
  keepHealthMarked(cards, context, signal);
  keepInSight(stage, context, signal);
  mountPills(el, scroller, cards, context, signal);
  follow(signal, () => {
    const { svg, graph, status } = context.traits;
    hint.textContent = hintText(svg.value, graph.value.is_traced, status.value.message);
    hint.hidden = hint.textContent === "";
  });
}

function cardActions(stage: Stage, context: Context): CardActions & LayoutActions {
  const { cards, scroller } = stage;
  const rearrange = async (request: Request, held: Card | null): Promise<void> => {
    const anchor = held === null ? null : anchorOf(held, scroller);
    stage.held = anchor;
    await context.kernel.request(request, "fold");
    // The new picture comes before the answer; if none came, the next one is not about this card.
    if (stage.held === anchor) stage.held = null;
  };
  const toHold = () => cardToHold(cards, context.traits.selected.peek(), scroller);
  return {
    select(card) {
      const item = stage.items.peek().get(card.id);
      if (item !== undefined) context.select(item.id);
    },
    async fold(card) {
      const item = stage.items.peek().get(card.id);
      const asked = item === undefined ? null : foldRequest(item);
      if (asked !== null) await rearrange({ command: "fold", ...asked }, card);
    },
    goBack() {
      if (context.traits.graph.peek().leads_back) void rearrange({ command: "back" }, toHold());
    },
    turn() {
      const direction = context.traits.graph.peek().direction === "TB" ? "LR" : "TB";
      void rearrange({ command: "direction", direction }, toHold());
    },
    focusSelection() {
      const card = shownCard(cards, context.traits.selected.peek());
      if (card !== null) stage.viewport.focus(card.shape.getBoundingClientRect());
    },
  };
}

/** Where data enters: the middle of the topmost card, or of the leftmost, as shares of the picture. */
function entryOf({ root, cards }: Picture, direction: Direction): Point {
  const picture = root.getBoundingClientRect();
  const isDown = direction === "TB";
  let first = Number.POSITIVE_INFINITY;
  let entry = TOP_MIDDLE;
  for (const card of cards.values()) {
    const box = card.shape.getBoundingClientRect();
    const begin = isDown ? box.top : box.left;
    if (card.isGroup || begin >= first) continue;
    first = begin;
    entry = isDown
      ? { x: (box.left + box.width / 2 - picture.left) / picture.width, y: 0 }
      : { x: 0, y: (box.top + box.height / 2 - picture.top) / picture.height };
  }
  return picture.width > 0 ? entry : TOP_MIDDLE;
}

/** Puts a new picture on the stage, where possible so that what the user looks at stays where it is. */
function showPicture(stage: Stage, svg: string, direction: Direction): void {
  const { viewport, cards, scroller } = stage;
  const next = readPicture(svg);
  const before = cards.picture;
  const focus = heldFocus(cards);
  const isTouched = viewport.isTouched.peek() && next !== null && before !== null;
  const isHeld = stage.held !== null;
  const anchor = stage.held ?? (isTouched ? centralAnchor(before, next, scroller) : null);
  const places = placesInSight(before, scroller);
  stage.held = null;
  cards.picture = next;
  if (next === null) {
    before?.root.remove();
    return;
  }
  viewport.show({
    root: next.root,
    size: next.size,
    findOrigin: () => (anchor === null ? null : originFor(anchor, cards)),
    isHeld,
    findEntry: () => entryOf(next, direction),
  });
  if (places !== null) glide(places, next, scroller, viewport.scale.peek());
  if (focus !== null) giveFocus(cards, focus);
}

function keepPainted({ cards, items, viewport }: Stage, { traits }: Context, signal: AbortSignal): void {
  const paint = perFrame(signal, () => {
    if (!markCards(cards, items.peek(), traits, viewport.sight.peek())) paint();
  });
  follow(signal, () => {
    // Read here, so that a change of any of them is drawn with the next frame.
    void [traits.svg.value, items.value, traits.node_data.value, traits.selected.value, viewport.sight.value];
    paint();
  });
}

/** Scrolls to what another view or the status line selected, and to the selection when a side pane takes room. */
function keepInSight({ cards, scroller, viewport }: Stage, context: Context, signal: AbortSignal): void {
  const { selections, traits } = context;
  const { selected } = traits;
  const reveal = perFrame(signal, () => {
    const card = shownCard(cards, selected.peek());
    if (card !== null && scroller.clientWidth > 0) viewport.reveal(card.shape.getBoundingClientRect());
  });
  follow(signal, () => {
    // Read here, so that what is selected already is led to again.
    void selections.value;
    // What the pointer is on stays there: the second click of two must find it.
    if (shownCard(cards, selected.value)?.element.matches(":hover") === false) reveal();
  });
  // One frame later the pane has its new size, and the picture may lie better by itself.
  const revealBesidePane = perFrame(signal, reveal);
  followChanges(signal, () => [context.openDrawer.value, context.isInspecting.value], revealBesidePane);
}

function hintText(svg: string, isTraced: boolean, message: string): string {
  if (svg === "") return message || "There is no picture yet.";
  return isTraced ? "" : "Only the structure is known. Run the model to see what flows through it.";
}
