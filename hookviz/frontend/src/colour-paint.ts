/** Colours the cards of the picture, and writes on each the number that its colour means. */

import type { ReadonlySignal } from "@preact/signals-core";
import { describeCard } from "./card-description";
import { isInSight } from "./card-sight";
import type { Cards, Items } from "./cards";
import { colourAt } from "./colour-ramp";
import type { MarkWire } from "./colour-wire";
import type { Context } from "./context";
import { svg } from "./element";
import { follow, perFrame } from "./lifetime";
import type { Card } from "./svg-picture";
import type { Viewport } from "./viewport";

const MARK_HEIGHT = 14;
/** Of the card's right border; as in `hookviz/diagram/coloured_svg.py`. */
const INSET = 8;
/** Of a digit in Helvetica at the size of a mark; to measure each text would lay out the page for each card. */
const CHARACTER_WIDTH = 5.5;

/** So long a frame may be busy with colours; what is left comes in the next one. */
const FRAME_MS = 4;

/** The mark on a card, and what it shows. */
interface Drawn {
  group: SVGGElement;
  title: SVGTitleElement;
  box: SVGRectElement;
  text: SVGTextElement;
  words: string;
}

export function keepColoured(
  cards: Cards,
  items: ReadonlySignal<Items>,
  viewport: Viewport,
  { traits, scheme }: Context,
  signal: AbortSignal,
): void {
  const drawn = new WeakMap<Card, Drawn>();
  const paint = perFrame(signal, () => {
    const end = performance.now() + FRAME_MS;
    const colours = traits.colours.peek();
    const sight = viewport.sight.peek();
    for (const card of cards.picture?.cards.values() ?? []) {
      // As with the lines of a card: one out of sight gets its number when it comes into sight.
      if (!isInSight(card.box, sight)) continue;
      const mark = colours.marks[items.peek().get(card.id)?.id ?? ""];
      const isHeated = paintHeat(card, mark, colours[scheme.peek()]);
      const isMarked = paintMark(card, mark, colours.title, drawn);
      if ((isHeated || isMarked) && performance.now() > end) return paint();
    }
  });
  follow(signal, () => {
    // Read here, so that a change of any of them is drawn with the next frame.
    void [traits.svg.value, items.value, traits.colours.value, scheme.value, viewport.sight.value];
    paint();
  });
}

/** Boxes around cards are not filled: what is inside would not be seen against them. */
function paintHeat({ element, isGroup }: Card, mark: MarkWire | undefined, ramp: readonly string[]): boolean {
  const place = isGroup ? null : (mark?.place ?? null);
  const colour = place === null ? "" : colourAt(place, ramp);
  if (element.style.getPropertyValue("--hv-heat") === colour) return false;
  element.toggleAttribute("data-heat", colour !== "");
  if (colour === "") element.style.removeProperty("--hv-heat");
  else element.style.setProperty("--hv-heat", colour);
  return true;
}

function paintMark(card: Card, mark: MarkWire | undefined, title: string, drawn: WeakMap<Card, Drawn>): boolean {
  const { element, shape } = card;
  const before = drawn.get(card);
  if (mark === undefined) {
    if (before === undefined) return false;
    before.group.remove();
    drawn.delete(card);
    describeCard(element, "colour", "");
    return true;
  }
  const words = `${title}: ${mark.text}`;
  if (before?.words === words) return false;
  const now = before ?? draw(element);
  now.words = words;
  drawn.set(card, now);
  now.title.textContent = words;
  now.text.textContent = mark.text;
  place(now, shape, mark.text.length * CHARACTER_WIDTH + 10);
  describeCard(element, "colour", words);
  return true;
}

function draw(element: SVGGElement): Drawn {
  const title = svg("title");
  const box = svg("rect", { height: MARK_HEIGHT, rx: MARK_HEIGHT / 2 });
  const text = svg("text");
  const group = svg("g", { class: "hv-mark" }, title, box, text);
  element.append(group);
  return { group, title, box, text, words: "" };
}

/** Across the upper border of the card, at its right. */
function place({ box, text }: Drawn, shape: SVGGraphicsElement, width: number): void {
  const lengths = ["x", "y", "width"].map((name) => Number(shape.getAttribute(name)));
  const [left = 0, top = 0, room = 0] = lengths;
  const x = left + room - INSET - width;
  const y = top - MARK_HEIGHT / 2;
  for (const [element, places] of [
    [box, { x, y, width }],
    [text, { x: x + width / 2, y: y + 10.3 }],
  ] as const) {
    for (const [name, value] of Object.entries(places)) element.setAttribute(name, String(value));
  }
}
