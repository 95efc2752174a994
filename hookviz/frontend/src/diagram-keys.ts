/**
 * Keys of the diagram: arrows move along edges, Home and End to its ends, Enter selects, Space folds,
 * + − 0 f z zoom, t turns the picture, Backspace leads back.
 */

import type { ReadonlySignal } from "@preact/signals-core";
import { type CardActions, type Cards, focusedCard, type Items, moveTabStop } from "./cards";
import type { Context } from "./context";
import { type Direction, neighbour, type Place } from "./navigation";
import { attributeId, type Card, type Picture } from "./svg-picture";
import type { Viewport } from "./viewport";
import type { LayoutActions } from "./zoom-bar";

interface Actions extends CardActions, LayoutActions {
  scroller: HTMLElement;
  cards: Cards;
  items: ReadonlySignal<Items>;
  traits: Context["traits"];
  viewport: Viewport;
}

const ARROWS: Record<string, Direction> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
};

export function handleKeys(actions: Actions, signal: AbortSignal): void {
  const { scroller } = actions;
  scroller.addEventListener(
    "keydown",
    (event) => {
      if (event.ctrlKey || event.metaKey) return;
      // As in a browser, which would else leave the page.
      const isBack = event.altKey && event.key === "ArrowLeft";
      if (event.altKey && !isBack) return;
      if (isBack) actions.goBack();
      if (isBack || actOn(event.key, actions)) event.preventDefault();
    },
    { signal },
  );
  // A click, a key or a screen reader may have moved the focus.
  scroller.addEventListener(
    "focusin",
    () => {
      const card = focusedCard(actions.cards);
      if (card !== null) moveTabStop(actions.cards, card.id);
    },
    { signal },
  );
}

/** Whether the key meant something here. */
function actOn(key: string, actions: Actions): boolean {
  const { viewport } = actions;
  if (key === "+" || key === "=") viewport.step(1);
  else if (key === "-") viewport.step(-1);
  else if (key === "0") viewport.zoomTo(1);
  else if (key === "f") viewport.fit();
  else if (key === "z") actions.focusSelection();
  else if (key === "t") actions.turn();
  else if (key === "Backspace") actions.goBack();
  else return actOnCard(key, actions);
  return true;
}

function actOnCard(key: string, actions: Actions): boolean {
  const card = focusedCard(actions.cards);
  const { picture } = actions.cards;
  if (card === null || picture === null) return false;
  if (key === "Enter") actions.select(card);
  else if (key === " ") void actions.fold(card);
  else if (key === "Home" || key === "End") goTo(endOf(picture, key, actions), actions);
  else {
    const direction = ARROWS[key];
    if (direction === undefined) return false;
    move(card, direction, picture, actions);
  }
  return true;
}

function move(from: Card, direction: Direction, picture: Picture, actions: Actions): void {
  const links = actions.traits.graph.peek().edges.map((edge) => ({
    source: attributeId(edge.source),
    target: attributeId(edge.target),
  }));
  const id = neighbour(from.id, direction, placesOf(picture, from), links);
  // Left of the leftmost lies what encloses it, as in a tree.
  goTo(picture.cards.get(id ?? (direction === "left" ? enclosing(from, actions.items.peek()) : "")), actions);
}

/** The first card of the picture or the last, as data reaches them: the way it flows, then across. */
function endOf(picture: Picture, key: "Home" | "End", { traits }: Actions): Card | undefined {
  const isDown = traits.graph.peek().direction === "TB";
  const corner = (card: Card): [along: number, across: number] => {
    const { top, left } = card.shape.getBoundingClientRect();
    return isDown ? [top, left] : [left, top];
  };
  const inOrder = [...picture.cards.values()]
    .filter((card) => !card.isGroup)
    .map((card) => ({ card, at: corner(card) }))
    .sort(({ at: a }, { at: b }) => a[0] - b[0] || a[1] - b[1]);
  return inOrder.at(key === "Home" ? 0 : -1)?.card;
}

function goTo(next: Card | undefined, actions: Actions): void {
  if (next === undefined) return;
  next.element.focus({ preventScroll: true });
  actions.viewport.reveal(next.shape.getBoundingClientRect());
}

/** Groups are reached from their content alone, since an edge never ends at one. */
function placesOf(picture: Picture, from: Card): Place[] {
  return [...picture.cards.values()]
    .filter((card) => !card.isGroup || card === from)
    .map((card) => {
      const box = card.shape.getBoundingClientRect();
      // A group is left from its title: down leads to its first card, up to what feeds it.
      const y = card.isGroup ? box.top : (box.top + box.bottom) / 2;
      return { id: card.id, center: { x: (box.left + box.right) / 2, y } };
    });
}

function enclosing(card: Card, items: Items): string {
  const item = items.get(card.id);
  if (item === undefined) return "";
  return attributeId(("kind" in item ? item.group : item.parent) ?? "");
}
