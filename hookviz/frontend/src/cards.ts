/** The cards of the picture as things to see, hear and tab to. */

import type { ReadonlySignal } from "@preact/signals-core";
import { isInSight, type Sight } from "./card-sight";
import { type Context, enclosingId } from "./context";
import { describe } from "./describe";
import type { GraphWire, GroupWire, NodeWire } from "./graph-wire";
import { paintCard } from "./live-values";
import { nameAloud } from "./spoken-label";
import { attributeId, type Card, type CardMark, type Picture } from "./svg-picture";

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

/** So long a frame may be busy with new numbers; what is left comes in the next one. */
const FRAME_MS = 8;

/**
 * Brings every card up to date: values, selection, words for a screen reader, tab stop.
 *
 * A card out of sight keeps its numbers until it comes into sight: of a thousand cards most are, and a text
 * that nobody sees costs as much as one that somebody does.
 *
 * Gives false where the frame is full and cards in sight are left.
 */
export function markCards(cards: Cards, items: Items, traits: Context["traits"], sight: Sight): boolean {
  if (cards.picture === null) return true;
  nameRoot(cards.picture, `Diagram of ${traits.graph.peek().title}`);
  const nodeData = traits.node_data.peek();
  const selected = attributeId(traits.selected.peek());
  const holder = shownCard(cards, traits.selected.peek());
  const { marks, first } = cards.picture;
  const all = [...cards.picture.cards.values()];
  const end = performance.now() + FRAME_MS;
  let left: Card | null = null;
  // Where frames were full before, the cards that had to wait come first.
  for (const card of [...all.slice(first), ...all.slice(0, first)]) {
    const item = items.get(card.id);
    if (item === undefined) continue;
    const isSelected = card.id === selected;
    const mark = { item, data: nodeData[item.id], isSelected, holdsSelected: card === holder && !isSelected };
    const before = marks.get(card);
    if (before !== undefined && isSameMark(mark, before)) continue;
    if (before !== undefined && differsInNumbers(mark, before)) {
      if (!isInSight(card.box, sight)) continue;
      if (performance.now() > end) {
        left ??= card;
        continue;
      }
    }
    marks.set(card, mark);
    markCard(card, mark);
  }
  cards.picture.first = left === null ? 0 : all.indexOf(left);
  markEdges(cards.picture, selected);
  moveTabStop(cards, cards.picture.cards.has(cards.tabStop) ? cards.tabStop : selected);
  return left === null;
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

function isSameMark(mark: CardMark, before: CardMark): boolean {
  return mark.data === before.data && isSameCard(mark, before);
}

function isSameCard(mark: CardMark, before: CardMark): boolean {
  return (
    mark.item === before.item && mark.isSelected === before.isSelected && mark.holdsSelected === before.holdsSelected
  );
}

/** Whether nothing but numbers changed: what is selected or wrong, the map shows too. */
function differsInNumbers(mark: CardMark, before: CardMark): boolean {
  return (
    isSameCard(mark, before) &&
    mark.data?.state === before.data?.state &&
    mark.data?.trouble === before.data?.trouble &&
    mark.data?.note === before.data?.note
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
