/** The pills of the picture: each is the switch of one hook, or leads to the list where it stands for several. */

import type { Cards } from "./cards";
import { setText, svg } from "./element";
import type { HookBoard } from "./hook-board";
import { placeOf } from "./hook-row";
import { checkedText, type HookState, stateOf } from "./hook-state";
import type { HookWire } from "./hook-wire";
import type { Card } from "./svg-picture";

/** A pill as `hookviz/diagram/pill_svg.py` draws it. */
export interface Pill {
  element: SVGGElement;
  card: Card;
  /** Those of its hooks that are on the model now. */
  hooks: HookWire[];
}

const LOCK = "M1.5 4.2V3a2 2 0 0 1 4 0v1.2h.8V9H.7V4.2zm1.1 0h1.8V3a.9.9 0 0 0-1.8 0z";
const LEADS: Record<string, string> = { input: "→", gradient: "∇" };
const MARKS = { on: "●", off: "○", partly: "●○" };

/** The pill that an event's target is in, null where it is in none. */
export function pillOf({ picture }: Cards, target: EventTarget | null, board: HookBoard): Pill | null {
  const element = target instanceof Element ? target.closest<SVGGElement>("g[data-hooks]") : null;
  const card = picture?.cards.get(element?.closest<SVGGElement>("g[data-node]")?.dataset.node ?? "");
  return element === null || card === undefined ? null : { element, card, hooks: hooksOf(element, board) };
}

/** All pills of the picture, card by card. */
export function pillsOf({ picture }: Cards, board: HookBoard): Pill[] {
  return [...(picture?.cards.values() ?? [])].flatMap((card) =>
    pillElements(card).map((element) => ({ element, card, hooks: hooksOf(element, board) })),
  );
}

export function pillElements(card: Card): SVGGElement[] {
  return [...card.element.querySelectorAll<SVGGElement>(":scope > g[data-hooks]")];
}

function hooksOf(element: SVGGElement, { byId }: HookBoard): HookWire[] {
  return hookIds(element).flatMap((id) => byId.value.get(id) ?? []);
}

/** The ids that `data-hooks` spells as `encode_id` of `hookviz/diagram/ids.py` does. */
export function hookIds(element: SVGGElement): string[] {
  return (element.dataset.hooks ?? "")
    .split(" ")
    .filter(Boolean)
    .map((encoded) =>
      encoded.replaceAll(/_([0-9a-f]+)_/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16))),
    );
}

/** Whether a click leads to the list: the pill stands for several hooks, which differ. */
export function standsForSeveral(element: SVGGElement): boolean {
  return (element.dataset.hooks ?? "").includes(" ");
}

/** Brings every pill up to date: on or off, on its way, locked, refused; and words for a screen reader. */
export function paintPills(cards: Cards, board: HookBoard): void {
  for (const pill of pillsOf(cards, board)) {
    // A hook that is gone is drawn as it was until the picture is.
    if (pill.hooks.length > 0) paintPill(pill, board);
  }
}

function paintPill({ element, hooks }: Pill, board: HookBoard): void {
  const state = stateOf(hooks, board.asked.value);
  const text = element.querySelector("text");
  const [, name = ""] = (text?.textContent ?? "").split(/ (.*)/s, 2);
  const side = /hv-pill-(input|output|gradient|parameter)/.exec(element.getAttribute("class") ?? "")?.[1] ?? "";
  if (text !== null) setText(text, `${LEADS[side] ?? ""}${MARKS[state.is]} ${name}`);
  element.dataset.state = state.is;
  element.toggleAttribute("data-pending", state.isPending);
  element.toggleAttribute("data-locked", state.isLocked);
  element.toggleAttribute("data-raised", state.hasRaised);
  element.toggleAttribute(
    "data-refused",
    hooks.some(({ id }) => board.refused.value.has(id)),
  );
  markLock(element, state.isLocked);
  describePill(element, hooks, state, name, board.isReachable.value);
}

function describePill(
  element: SVGGElement,
  hooks: readonly HookWire[],
  state: HookState,
  name: string,
  isReachable: boolean,
): void {
  const [only] = hooks;
  if (standsForSeveral(element) || only === undefined) {
    element.setAttribute("role", "button");
    element.setAttribute("aria-label", `${name}: ${hooks.length} hooks, show them in the list`);
    return;
  }
  element.setAttribute("role", "switch");
  element.setAttribute("aria-checked", checkedText(state.is));
  element.setAttribute("aria-label", `${only.label}, ${only.kind} hook on ${placeOf(only)}`);
  element.toggleAttribute("aria-disabled", false);
  if (state.isLocked || !isReachable) element.setAttribute("aria-disabled", "true");
}

/** A padlock at the corner of what cannot be switched. */
function markLock(element: SVGGElement, isLocked: boolean): void {
  const there = element.querySelector(".hv-pill-lock");
  if (!isLocked) there?.remove();
  if (!isLocked || there !== null) return;
  const box = element.querySelector("rect");
  const [x, y, width] = ["x", "y", "width"].map((name) => Number(box?.getAttribute(name) ?? 0));
  element.append(
    svg("path", {
      class: "hv-pill-lock",
      d: LOCK,
      transform: `translate(${(x ?? 0) + (width ?? 0) - 7} ${(y ?? 0) - 3})`,
    }),
  );
}

/** Tab leads from the card that it reached on to this card's pills, and to no others. */
export function markPillStops(cards: Cards): void {
  for (const card of cards.picture?.cards.values() ?? []) {
    for (const element of pillElements(card)) element.setAttribute("tabindex", card.id === cards.tabStop ? "0" : "-1");
  }
}
