/** The diagram pane: the picture with live values, a selection, folding, zoom and keys. */

import { computed, type ReadonlySignal } from "@preact/signals-core";
import { type CardActions, type Cards, type Items, markCards, rowsOf, shownCard } from "./cards";
import type { Context } from "./context";
import { handleKeys } from "./diagram-keys";
import { handlePointer } from "./diagram-pointer";
import { panByDragging } from "./dragging";
import { button, html } from "./element";
import { lightHits } from "./find-light";
import { giveFocus, heldFocus } from "./focus-keeping";
import { type Anchor, anchorOf, centralAnchor, foldRequest, originFor } from "./folding";
import { follow, followChanges, perFrame } from "./lifetime";
import { mountPills } from "./pill-actions";
import { attributeId, type Picture, readPicture } from "./svg-picture";
import { createViewport, type Viewport } from "./viewport";
import { mountZoomBar } from "./zoom-bar";

/** What the parts of the pane share. */
interface Stage {
  scroller: HTMLElement;
  viewport: Viewport;
  cards: Cards;
  items: ReadonlySignal<Items>;
  /** The card that is being folded, where the pointer found it. */
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
  el.append(scroller, hint, help, zoomBar);

  const items = computed(() => {
    const { nodes, groups } = context.traits.graph.value;
    return new Map([...nodes, ...groups].map((item) => [attributeId(item.id), item]));
  });
  const viewport = createViewport(scroller, canvas, signal);
  const cards: Cards = { picture: null, tabStop: "", rows: computed(() => rowsOf(context.traits.graph.value)) };
  const stage: Stage = { scroller, viewport, cards, items, held: null };
  const actions = cardActions(stage, context);

  panByDragging(scroller, signal);
  mountZoomBar(zoomBar, viewport, signal);
  help.addEventListener(
    "click",
    () => {
      context.isHelpOpen.value = true;
    },
    { signal },
  );
  handlePointer(scroller, cards, actions, signal);
  handleKeys({ ...stage, ...actions, traits: context.traits }, signal);
  follow(signal, () => showPicture(stage, context.traits.svg.value));
  keepPainted(stage, context, signal);
  lightHits(cards, context, signal);
  keepInSight(stage, context, signal);
  mountPills(el, scroller, cards, context, signal);
  follow(signal, () => {
    const { svg, graph, status } = context.traits;
    hint.textContent = hintText(svg.value, graph.value.is_traced, status.value.message);
    hint.hidden = hint.textContent === "";
  });
}

function cardActions(stage: Stage, context: Context): CardActions {
  return {
    select(card) {
      const item = stage.items.peek().get(card.id);
      if (item !== undefined) context.select(item.id);
    },
    async fold(card) {
      const item = stage.items.peek().get(card.id);
      const asked = item === undefined ? null : foldRequest(item);
      if (asked === null) return;
      const anchor = anchorOf(card, stage.scroller);
      stage.held = anchor;
      await context.kernel.request({ command: "fold", ...asked }, "fold");
      // The new picture comes before the answer; if none came, the next one is not about this card.
      if (stage.held === anchor) stage.held = null;
    },
  };
}

/** Where the topmost card lies, as a share of the picture's width from the left. */
function entryOf({ root, cards }: Picture): number {
  const picture = root.getBoundingClientRect();
  let top = Number.POSITIVE_INFINITY;
  let middle = picture.left + picture.width / 2;
  for (const card of cards.values()) {
    const box = card.shape.getBoundingClientRect();
    if (card.isGroup || box.top >= top) continue;
    top = box.top;
    middle = box.left + box.width / 2;
  }
  return picture.width > 0 ? (middle - picture.left) / picture.width : 0.5;
}

/** Puts a new picture on the stage, where possible so that what the user looks at stays where it is. */
function showPicture(stage: Stage, svg: string): void {
  const { viewport, cards, scroller } = stage;
  const next = readPicture(svg);
  const before = cards.picture;
  const focus = heldFocus(cards);
  const isTouched = viewport.isTouched.peek() && next !== null && before !== null;
  const anchor = stage.held ?? (isTouched ? centralAnchor(before, next, scroller) : null);
  stage.held = null;
  cards.picture = next;
  if (next === null) {
    before?.root.remove();
    return;
  }
  viewport.show({
    root: next.root,
    size: next.size,
    findOrigin: () => (anchor === null ? null : originFor(anchor, next)),
    findEntry: () => entryOf(next),
  });
  if (focus !== null) giveFocus(cards, focus);
}

function keepPainted({ cards, items }: Stage, { traits }: Context, signal: AbortSignal): void {
  const paint = perFrame(signal, () => markCards(cards, items.peek(), traits));
  follow(signal, () => {
    // Read here, so that a change of any of them is drawn with the next frame.
    void [traits.svg.value, items.value, traits.node_data.value, traits.selected.value];
    paint();
  });
}

/** Scrolls to what another view or the status line selected, and to the selection when a side pane takes room. */
function keepInSight({ cards, scroller, viewport }: Stage, context: Context, signal: AbortSignal): void {
  const { selected } = context.traits;
  const reveal = perFrame(signal, () => {
    const card = shownCard(cards, selected.peek());
    if (card !== null && scroller.clientWidth > 0) viewport.reveal(card.shape.getBoundingClientRect());
  });
  follow(signal, () => {
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
