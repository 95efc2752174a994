/** The cards of the picture as things to see, hear and tab to. */

import type { ReadonlySignal } from "@preact/signals-core";
import { type Context, enclosingId } from "./context";
import { describe } from "./describe";
import { paintCard } from "./live-values";
import { nameAloud } from "./spoken-label";
import { attributeId, type Card, type Picture } from "./svg-picture";
import type { GraphWire, GroupWire, NodeWire } from "./wire";

/** What is on the stage; `tabStop` is the one card that the Tab key leads to. */
export interface Cards {
  picture: Picture | null;
  tabStop: string;
  /** Node ids of identical siblings that are folded into one card, with the id of that card's node. */
  rows: ReadonlySignal<ReadonlyMap<string, string>>;
}

/** Nodes and groups by their id as `data-node` spells it. */
export type Items = ReadonlyMap<string, NodeWire | GroupWire>;

/** What can be done with a card. */
export interface CardActions {
  select(card: Card): void;
  fold(card: Card): Promise<void>;
}

/** The card that an event's target is in, null where it is in none of this picture. */
export function cardOf({ picture }: Cards, target: EventTarget | null): Card | null {
  const element = target instanceof Element ? target.closest<SVGGElement>("g[data-node]") : null;
  const card = picture?.cards.get(element?.dataset.node ?? "");
  return card?.element === element ? (card ?? null) : null;
}

export function focusedCard(cards: Cards): Card | null {
  return cardOf(cards, document.activeElement);
}

/** Brings every card up to date: values, selection, words for a screen reader, tab stop. */
export function markCards(cards: Cards, items: Items, traits: Context["traits"]): void {
  if (cards.picture === null) return;
  const { root } = cards.picture;
  // A screen reader then leaves the arrow keys to the diagram.
  root.setAttribute("role", "application");
  root.setAttribute("aria-roledescription", "diagram");
  root.setAttribute("aria-label", `Diagram of ${traits.graph.peek().title}`);
  root.setAttribute(
    "aria-description",
    "Arrow keys move along edges, Enter looks inside, Space folds and unfolds, Tab leads to the hooks of a card, question mark lists all keys.",
  );
  const nodeData = traits.node_data.peek();
  const selected = attributeId(traits.selected.peek());
  const holder = shownCard(cards, traits.selected.peek());
  for (const card of cards.picture.cards.values()) {
    const item = items.get(card.id);
    if (item === undefined) continue;
    paintCard(card, nodeData[item.id]);
    const { element } = card;
    element.classList.toggle("hv-selected", card.id === selected);
    element.classList.toggle("hv-holds-selected", card === holder && card.id !== selected);
    markRole(element, card.id === selected);
    nameAloud(element, describe(item, nodeData[item.id]));
  }
  for (const edge of cards.picture.edges) {
    edge.classList.toggle("hv-near", edge.dataset.source === selected || edge.dataset.target === selected);
  }
  moveTabStop(cards, cards.picture.cards.has(cards.tabStop) ? cards.tabStop : selected);
}

/** A button may hold no switches, so a card with pills is a group that is current or not. */
function markRole(element: SVGGElement, isSelected: boolean): void {
  const hasPills = element.querySelector("g[data-hooks]") !== null;
  element.setAttribute("role", hasPills ? "group" : "button");
  if (hasPills) element.setAttribute("aria-current", String(isSelected));
  else element.setAttribute("aria-pressed", String(isSelected));
}

/** The card of a node, or of what it is folded into; null where neither is in the picture. */
export function shownCard({ picture, rows }: Cards, nodeId: string): Card | null {
  let id = nodeId;
  while (id !== "" && picture?.cards.has(attributeId(id)) === false) id = rows.peek().get(id) ?? enclosingId(id);
  return picture?.cards.get(attributeId(id)) ?? null;
}

/** The rows of a graph, see `Cards`. */
export function rowsOf({ nodes }: GraphWire): Map<string, string> {
  return new Map(nodes.flatMap(({ id, members }) => members.map((path) => [`module:${path}`, id] as const)));
}

/** Makes a card the one that Tab leads to; the first where the picture has no such card. */
export function moveTabStop(cards: Cards, id: string): void {
  const all = [...(cards.picture?.cards.values() ?? [])];
  const stop = cards.picture?.cards.get(id) ?? all.find((card) => !card.isGroup);
  cards.tabStop = stop?.id ?? "";
  for (const card of all) card.element.setAttribute("tabindex", card === stop ? "0" : "-1");
}
