/** The trait `svg` as elements of the page: only what draws, with its cards and live texts found. */

import { type Box, boxOf, originOf } from "./card-sight";
import { svg } from "./element";
import type { Point, Size } from "./framing";
import type { GroupWire, NodeDataWire, NodeWire } from "./graph-wire";

/** The texts of a card that `hookviz/diagram/svg.py` marks with `data-slot`. */
export type Slot = "fold" | "name" | "type" | "calls" | "detail" | "spark" | "value" | "gradient" | "trouble";

/** A node or an unfolded container of the picture. */
export interface Card {
  id: string;
  element: SVGGElement;
  /** Its outline, which stands for where the card is. */
  shape: SVGGraphicsElement;
  /** The place of its outline in the picture; null where it is no rectangle. */
  box: Box | null;
  isGroup: boolean;
  /** What the pointer shows over it. */
  title: Element | null;
  /** Those of its texts that change with runs: found once, since there are thousands. */
  texts: LiveText[];
}

export interface LiveText {
  element: SVGTextElement;
  slot: Slot | undefined;
  /** It gives way where something is wrong with the card. */
  isUnderTrouble: boolean;
}

export interface Picture {
  root: SVGSVGElement;
  /** At 100 %, in pixels. */
  size: Size;
  cards: Map<string, Card>;
  edges: SVGGElement[];
  /** What each card was brought up to date with. */
  marks: Map<Card, CardMark>;
  /** Which card comes first where there is no time for all. */
  first: number;
  /** The card that the Tab key leads to. */
  tabStop: Card | null;
  /** The id whose edges are marked. */
  near: string;
}

/** All that a card shows beside its drawing; who marks cards knows what is in it. */
export interface CardMark {
  item: NodeWire | GroupWire;
  data: NodeDataWire | undefined;
  isSelected: boolean;
  holdsSelected: boolean;
}

/** Elements that draw and do nothing else; whatever else a picture holds is dropped with its content. */
const DRAWS = new Set(
  "svg g title desc defs path polygon polyline ellipse circle rect line text tspan linearGradient stop".split(" "),
);

/** Attributes that run, load or link; styles too, since they can load. */
const ACTS = /^(on|(xlink:)?href$|style$|src$)/i;

const SVG = "http://www.w3.org/2000/svg";

/** Null where the text is no SVG. */
export function readPicture(text: string): Picture | null {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (parsed.namespaceURI !== SVG || parsed.localName !== "svg" || parsed.querySelector("parsererror")) return null;
  sanitize(parsed);
  const root = document.importNode(parsed, true);
  if (!(root instanceof SVGSVGElement)) return null;
  const origin = originOf(root);
  const cards = new Map<string, Card>();
  for (const element of root.querySelectorAll<SVGGElement>("g[data-node]")) {
    const card = readCard(element, origin);
    if (card !== null) cards.set(card.id, card);
  }
  const edges = [...root.querySelectorAll<SVGGElement>("g.hv-edge")];
  return { root, size: readSize(root), cards, edges, marks: new Map(), first: 0, tabStop: null, near: "" };
}

function sanitize(element: Element): void {
  for (const { name, value } of [...element.attributes]) {
    if (ACTS.test(name) || /url\(\s*["']?[^#"'\s]/i.test(value)) element.removeAttribute(name);
  }
  for (const child of [...element.children]) {
    if (child.namespaceURI === SVG && DRAWS.has(child.localName)) sanitize(child);
    else child.remove();
  }
}

function readCard(element: SVGGElement, origin: Point): Card | null {
  const shape = element.querySelector<SVGGraphicsElement>(".hv-shape");
  const id = element.dataset.node;
  if (shape === null || id === undefined) return null;
  element.setAttribute("tabindex", "-1");
  // No button: that could hold no switches, and would have to be called by all that is written on it.
  element.setAttribute("role", "group");
  element.setAttribute("aria-roledescription", "card");
  const texts = [...element.querySelectorAll("text")];
  // The card's name says it all in words.
  for (const text of texts) text.setAttribute("aria-hidden", "true");
  const fold = texts.find((text) => slotOf(text) === "fold");
  // The mark alone is too small a target for a pointer.
  fold?.before(foldTarget(Number(fold.getAttribute("x")), Number(fold.getAttribute("y"))));
  return {
    id,
    element,
    shape,
    box: boxOf(shape, origin),
    isGroup: element.classList.contains("hv-group"),
    title: element.querySelector("title"),
    texts: texts.map(liveText).filter(({ slot, isUnderTrouble }) => isUnderTrouble || LIVE.has(slot)),
  };
}

const LIVE = new Set<Slot | undefined>(["spark", "value", "gradient", "trouble"]);

function liveText(element: SVGTextElement): LiveText {
  return { element, slot: slotOf(element), isUnderTrouble: element.dataset.under === "trouble" };
}

function foldTarget(x: number, y: number): SVGRectElement {
  return svg("rect", { class: "hv-fold-target", x: x - 5, y: y - 13, width: 20, height: 19, rx: 4 });
}

function readSize(root: SVGSVGElement): Size {
  const [, , width = 0, height = 0] = (root.getAttribute("viewBox") ?? "").split(/[\s,]+/).map(Number);
  return { width, height };
}

export function slotOf(text: SVGTextElement): Slot | undefined {
  return text.dataset.slot as Slot | undefined;
}

// https://www.w3.org/TR/xml/#charsets
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** A node's id as `data-node` spells it: characters that XML forbids are written as `_hex_`. */
export function attributeId(id: string): string {
  return id.replace(FORBIDDEN, (character) => `_${character.codePointAt(0)?.toString(16)}_`);
}
