/** Colours the cards of the picture, and writes on each the number that its colour means. */

import type { ReadonlySignal } from "@preact/signals-core";
import { describeCard } from "./card-description";
import type { Cards, Items } from "./cards";
import { colourAt } from "./colour-ramp";
import type { ColoursWire, MarkWire } from "./colour-wire";
import type { Context } from "./context";
import { svg } from "./element";
import { follow, perFrame } from "./lifetime";
import type { Card } from "./svg-picture";
import type { Scheme } from "./theme";

const MARK_HEIGHT = 14;
/** Of the card's right border; as in `hookviz/diagram/coloured_svg.py`. */
const INSET = 8;
/** Of a digit in Helvetica at the size of a mark; to measure each text would lay out the page for each card. */
const CHARACTER_WIDTH = 5.5;

export function keepColoured(
  cards: Cards,
  items: ReadonlySignal<Items>,
  { traits, scheme }: Context,
  signal: AbortSignal,
): void {
  const paint = perFrame(signal, () => paintColours(cards, items.peek(), traits.colours.peek(), scheme.peek()));
  follow(signal, () => {
    // Read here, so that a change of any of them is drawn with the next frame.
    void [traits.svg.value, items.value, traits.colours.value, scheme.value];
    paint();
  });
}

function paintColours({ picture }: Cards, items: Items, colours: ColoursWire, scheme: Scheme): void {
  for (const card of picture?.cards.values() ?? []) {
    const mark = colours.marks[items.get(card.id)?.id ?? ""];
    paintHeat(card, mark, colours[scheme]);
    paintMark(card, mark, colours.title);
  }
}

/** Boxes around cards are not filled: what is inside would not be seen against them. */
function paintHeat({ element, isGroup }: Card, mark: MarkWire | undefined, ramp: readonly string[]): void {
  const place = isGroup ? null : (mark?.place ?? null);
  const colour = place === null ? "" : colourAt(place, ramp);
  if (element.style.getPropertyValue("--hv-heat") === colour) return;
  element.toggleAttribute("data-heat", colour !== "");
  if (colour === "") element.style.removeProperty("--hv-heat");
  else element.style.setProperty("--hv-heat", colour);
}

function paintMark({ element, shape }: Card, mark: MarkWire | undefined, title: string): void {
  const drawn = element.querySelector<SVGGElement>(".hv-mark");
  if (mark === undefined) {
    drawn?.remove();
    if (drawn !== null) describeCard(element, "colour", "");
    return;
  }
  const words = `${title}: ${mark.text}`;
  if (drawn?.querySelector("title")?.textContent === words) return;
  describeCard(element, "colour", words);
  drawn?.remove();
  element.append(markOf(shape, mark.text, words));
}

function markOf(shape: SVGGraphicsElement, text: string, words: string): SVGGElement {
  const lengths = ["x", "y", "width"].map((name) => Number(shape.getAttribute(name)));
  const [left = 0, top = 0, room = 0] = lengths;
  const width = text.length * CHARACTER_WIDTH + 10;
  const x = left + room - INSET - width;
  const y = top - MARK_HEIGHT / 2;
  return svg(
    "g",
    { class: "hv-mark" },
    svg("title", {}, words),
    svg("rect", { x, y, width, height: MARK_HEIGHT, rx: MARK_HEIGHT / 2 }),
    svg("text", { x: x + width / 2, y: y + 10.3 }, text),
  );
}
