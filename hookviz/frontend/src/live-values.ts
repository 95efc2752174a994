/** Writes the newest values into the picture: texts change in place, the layout stays. */

import { NOTHING } from "./card-lines";
import { setText } from "./element";
import type { NodeDataWire } from "./graph-wire";
import type { Card, LiveText } from "./svg-picture";

/** Characters of a live line; `SIZES.live_columns` of `hookviz/diagram/style.py`. */
export const LIVE_COLUMNS = 30;
const SPARK_COLUMNS = 8;

const NO_BREAK_SPACE = "\u00a0";

/** Shows what is known of a node, blank where nothing is; an operation has a mark and a hover only. As `fill_svg` of `hookviz/diagram/svg.py` does. */
export function paintCard(card: Card, data: NodeDataWire = NOTHING): void {
  card.element.dataset.state = data.state;
  card.element.toggleAttribute("data-trouble", data.trouble !== "");
  for (const text of card.texts) {
    setText(text.element, liveText(text, data));
    if (text.isUnderTrouble) setShown(text.element, data.trouble === "");
    if (text.slot === "gradient") text.element.classList.toggle("hv-no-gradient", !data.gradient.startsWith("∇"));
  }
  paintHover(card, data);
}

/** The new text of a slot; one that does not change with runs stays. */
function liveText({ element, slot }: LiveText, data: NodeDataWire): string {
  switch (slot) {
    case "spark":
      return solid(data.spark, SPARK_COLUMNS).padEnd(SPARK_COLUMNS, NO_BREAK_SPACE);
    case "value":
      return solid(data.value, LIVE_COLUMNS - SPARK_COLUMNS - 1);
    case "gradient":
      return solid(data.gradient || brief(data.note), LIVE_COLUMNS);
    case "trouble":
      return clip(data.trouble, LIVE_COLUMNS + 4);
    default:
      return element.textContent ?? "";
  }
}

/** A note as a card has room for it: of one that is too long, what it says before it explains it. */
function brief(note: string): string {
  return [...note].length <= LIVE_COLUMNS ? note : (note.match(/^[A-Za-z_ ]+(?=: )/)?.[0] ?? note);
}

/** A line of fixed width, whose spaces stay. */
function solid(text: string, limit: number): string {
  return clip(text, limit).replaceAll(" ", NO_BREAK_SPACE) || NO_BREAK_SPACE;
}

function clip(text: string, limit: number): string {
  const characters = [...text];
  return characters.length <= limit ? text : `${characters.slice(0, limit - 1).join("")}…`;
}

function setShown(text: SVGTextElement, isShown: boolean): void {
  if (isShown !== text.hasAttribute("display")) return;
  if (isShown) text.removeAttribute("display");
  else text.setAttribute("display", "none");
}

function paintHover({ title }: Card, data: NodeDataWire): void {
  if (title === null) return;
  const before = title.textContent ?? "";
  const [firstLine = ""] = before.split("\n", 1);
  const after = [firstLine, data.trouble, data.note].filter((line) => line !== "").join("\n");
  if (after !== before) title.textContent = after;
}
