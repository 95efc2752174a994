/** Pointer and keys on pills: a click or Space switches, hover and focus tell what the hook is. */

import type { Cards } from "./cards";
import type { Context } from "./context";
import { mountHookHover } from "./hook-hover";
import { stateOf } from "./hook-state";
import { follow, perFrame } from "./lifetime";
import { markPillStops, type Pill, paintPills, pillElements, pillOf, standsForSeveral } from "./pills";

export function mountPills(
  pane: HTMLElement,
  scroller: HTMLElement,
  cards: Cards,
  context: Context,
  signal: AbortSignal,
): void {
  const { hooks: board, traits } = context;
  const paint = perFrame(signal, () => {
    paintPills(cards, board);
    markPillStops(cards);
  });
  follow(signal, () => {
    void [traits.svg.value, traits.graph.value, traits.selected.value];
    void [board.byId.value, board.asked.value, board.refused.value, board.isReachable.value];
    paint();
  });
  const pillAt = (target: EventTarget | null) => pillOf(cards, target, board);
  mountHookHover(pane, scroller, pillAt, board, signal);
  handleClicks(scroller, pillAt, context, signal);
  handlePillKeys(scroller, pillAt, context, signal);
  scroller.addEventListener("focusin", () => markPillStops(cards), { signal });
}

type PillAt = (target: EventTarget | null) => Pill | null;

/** Before the card under the pill hears of the click, which would select it. */
function handleClicks(scroller: HTMLElement, pillAt: PillAt, context: Context, signal: AbortSignal): void {
  for (const type of ["click", "dblclick"] as const) {
    scroller.addEventListener(
      type,
      (event) => {
        const pill = pillAt(event.target);
        if (pill === null) return;
        event.stopPropagation();
        if (type === "dblclick") return;
        pill.element.focus({ preventScroll: true });
        act(pill, context);
      },
      { signal, capture: true },
    );
  }
}

function act(pill: Pill, context: Context): void {
  const { hooks: board } = context;
  if (standsForSeveral(pill.element)) showInList(pill, context);
  else if (pill.hooks.length > 0) void board.turn(pill.hooks, stateOf(pill.hooks, board.asked.peek()).is === "off");
}

function showInList({ hooks, card }: Pill, { hookFilter, isNarrow, openDrawer, traits }: Context): void {
  const items = [...traits.graph.peek().nodes, ...traits.graph.peek().groups];
  const path = items.find(({ id }) => id === card.id)?.path ?? hooks[0]?.path ?? "";
  hookFilter.value = { text: "", kind: "", path };
  if (isNarrow.peek()) openDrawer.value = "switches";
}

function handlePillKeys(scroller: HTMLElement, pillAt: PillAt, context: Context, signal: AbortSignal): void {
  scroller.addEventListener(
    "keydown",
    (event) => {
      const pill = pillAt(event.target);
      if (pill === null || event.ctrlKey || event.metaKey || event.altKey) return;
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (event.key === "Enter" || event.key === " ") act(pill, context);
      else if (event.key === "Escape" || event.key === "ArrowUp") pill.card.element.focus({ preventScroll: true });
      else if (step !== undefined) neighbourOf(pill, step)?.focus({ preventScroll: true });
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
    { signal, capture: true },
  );
}

function neighbourOf({ element, card }: Pill, step: number): SVGGElement | undefined {
  const all = pillElements(card);
  return all[all.indexOf(element) + step];
}
