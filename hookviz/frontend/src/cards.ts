/** The cards of the picture as things to see, hear and tab to. */

import type { ReadonlySignal } from "@preact/signals-core";
import { type Context, enclosingId } from "./context";
import { describe } from "./describe";
import { paintCard } from "./live-values";
import { nameAloud } from "./spoken-label";
import { attributeId, type Card, type CardMark, type Picture } from "./svg-picture";
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
  nameRoot(cards.picture, `Diagram of ${traits.graph.peek().title}`);
  const nodeData = traits.node_data.peek();
  const selected = attributeId(traits.selected.peek());
  const holder = shownCard(cards, traits.selected.peek());
  for (const card of cards.picture.cards.values()) {
    const item = items.get(card.id);
    if (item === undefined) continue;
    const isSelected = card.id === selected;
    const mark = { item, data: nodeData[item.id], isSelected, holdsSelected: card === holder && !isSelected };
    // Of a thousand cards, most stay as they are.
    if (isSameMark(mark, cards.picture.marks.get(card))) continue;
    cards.picture.marks.set(card, mark);
    markCard(card, mark);
  }
  markEdges(cards.picture, selected);
  moveTabStop(cards, cards.picture.cards.has(cards.tabStop) ? cards.tabStop : selected);
}

function nameRoot({ root }: Picture, label: string): void {
  if (root.getAttribute("aria-label") === label) return;
  // A screen reader then leaves the arrow keys to the diagram.
  root.setAttribute("role", "application");
  root.setAttribute("aria-roledescription", "diagram");
  root.setAttribute("aria-label", label);
  root.setAttribute(
    "aria-description",
    "Arrow keys move along edges, Enter looks inside, Space folds and unfolds, Tab leads to the hooks of a card, question mark lists all keys.",
  );
}

function isSameMark(mark: CardMark, before: CardMark | undefined): boolean {
  return (
    before !== undefined &&
    mark.item === before.item &&
    mark.data === before.data &&
    mark.isSelected === before.isSelected &&
    mark.holdsSelected === before.holdsSelected
  );
}

function markCard(card: Card, { item, data, isSelected, holdsSelected }: CardMark): void {
  const { element } = card;
  paintCard(card, data);
  element.classList.toggle("hv-selected", isSelected);
  element.classList.toggle("hv-holds-selected", holdsSelected);
  element.setAttribute("aria-current", String(isSelected));
  nameAloud(element, describe(item, data));
}

function markEdges(picture: Picture, selected: string): void {
  if (picture.near === selected) return;
  picture.near = selected;
  for (const edge of picture.edges) {
    edge.classList.toggle("hv-near", edge.dataset.source === selected || edge.dataset.target === selected);
  }
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
  const { picture } = cards;
  const stop = picture?.cards.get(id) ?? [...(picture?.cards.values() ?? [])].find((card) => !card.isGroup) ?? null;
  cards.tabStop = stop?.id ?? "";
  if (picture === null || picture.tabStop === stop) return;
  picture.tabStop?.element.setAttribute("tabindex", "-1");
  stop?.element.setAttribute("tabindex", "0");
  picture.tabStop = stop;
}
