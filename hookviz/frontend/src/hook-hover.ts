/** What the pointer or the focus on a pill shows: the hook's label, kind and source, what it did, what its kind is. */

import { html } from "./element";
import type { HookBoard } from "./hook-board";
import { placeOf } from "./hook-row";
import { stateOf } from "./hook-state";
import type { HookWire } from "./hook-wire";
import { hookLines, switchNote } from "./hook-words";
import { follow } from "./lifetime";
import type { Pill } from "./pills";

/** Hooks of one pill that are named; the list has them all. */
const MOST_NAMED = 6;

const GAP_PX = 6;

export function mountHookHover(
  pane: HTMLElement,
  scroller: HTMLElement,
  pillAt: (target: EventTarget | null) => Pill | null,
  board: HookBoard,
  signal: AbortSignal,
): void {
  const hover = html("div", { class: "hv-hook-hover", role: "tooltip", hidden: true });
  pane.append(hover);
  let shown: Element | null = null;
  let restoreTitles = () => {};

  const show = (pill: Pill): void => {
    if (pill.hooks.length === 0) return;
    hover.replaceChildren(...hoverLines(pill, board));
    hover.hidden = false;
    place(hover, pill, pane.getBoundingClientRect());
    if (shown === pill.element) return;
    restoreTitles();
    restoreTitles = takeTitles(pill.element);
    shown = pill.element;
  };
  const hide = (): void => {
    restoreTitles();
    restoreTitles = () => {};
    shown = null;
    hover.hidden = true;
  };
  const follows = (target: EventTarget | null): void => {
    const pill = pillAt(target);
    if (pill !== null) show(pill);
    // The pointer left, but the focus may still be on one.
    else if (shown !== null) hide();
  };
  scroller.addEventListener("pointerover", ({ target }) => follows(target), { signal });
  scroller.addEventListener("pointerleave", hide, { signal });
  scroller.addEventListener("focusin", ({ target }) => follows(target), { signal });
  scroller.addEventListener("focusout", hide, { signal });
  scroller.addEventListener("scroll", hide, { signal, passive: true });
  scroller.addEventListener("keydown", ({ key }) => key === "Escape" && hide(), { signal, capture: true });
  // A switch that was clicked tells at once what became of it.
  follow(signal, () => {
    void [board.byId.value, board.asked.value, board.refused.value];
    const pill = shown?.isConnected ? pillAt(shown) : null;
    if (pill !== null) show(pill);
    else if (shown !== null) hide();
  });
}

function hoverLines({ hooks }: Pill, board: HookBoard): HTMLElement[] {
  const [only, ...others] = hooks;
  if (only === undefined) return [];
  if (others.length > 0) return severalLines(hooks, board);
  const { is } = stateOf(hooks, board.asked.value);
  const note = switchNote(only, board.refused.value.get(only.id), board.asked.value.has(only.id));
  const isRefused = only.protected === "" && board.refused.value.has(only.id);
  const [place = "", ...lines] = hookLines(only, "");
  return [
    html(
      "div",
      { class: "hv-hover-title" },
      html("b", {}, only.label),
      ` on ${placeOf(only)}`,
      html("span", { class: "hv-hover-state" }, is),
    ),
    html("div", { class: "hv-muted hv-mono" }, place),
    ...lines.map((line) => html("div", { class: line === only.about ? "hv-muted" : null }, line)),
    ...(note === "" ? [] : [html("div", { class: "hv-hover-note", "data-refused": isRefused }, note)]),
  ];
}

function severalLines(hooks: readonly HookWire[], { asked }: HookBoard): HTMLElement[] {
  const named = hooks
    .slice(0, MOST_NAMED)
    .map((hook) =>
      html(
        "div",
        {},
        stateOf([hook], asked.value).is === "off" ? "○ " : "● ",
        html("b", {}, hook.label),
        ` on ${placeOf(hook)} · ${hook.kind}`,
      ),
    );
  const left = hooks.length - named.length;
  return [
    ...named,
    ...(left > 0 ? [html("div", { class: "hv-muted" }, `and ${left} more`)] : []),
    html("div", { class: "hv-muted" }, "A click shows them in the list."),
  ];
}

/** Beside the card, so that its other pills stay in sight, else below the pill; inside of the pane. */
function place(hover: HTMLElement, { element, card }: Pill, pane: DOMRect): void {
  const { width, height } = hover.getBoundingClientRect();
  const pill = element.getBoundingClientRect();
  const box = card.shape.getBoundingClientRect();
  const within = (wanted: number, size: number, room: number) =>
    Math.max(Math.min(wanted, room - size - GAP_PX), GAP_PX);
  const right = box.right - pane.left + GAP_PX;
  const left = box.left - pane.left - width - GAP_PX;
  const side = right + width + GAP_PX <= pane.width ? right : left >= GAP_PX ? left : null;
  const below = pill.bottom - pane.top + GAP_PX;
  const above = pill.top - pane.top - height - GAP_PX;
  const top = side !== null ? pill.top - pane.top : below + height + GAP_PX <= pane.height ? below : above;
  hover.style.left = `${side ?? within(pill.left - pane.left, width, pane.width)}px`;
  hover.style.top = `${within(top, height, pane.height)}px`;
}

/** Takes away what the browser would show over the pill by itself; gives what puts it back. */
function takeTitles(element: Element): () => void {
  const taken: [Element, Element][] = [];
  for (let each: Element | null = element; each instanceof SVGElement; each = each.parentElement) {
    const title = [...each.children].find(({ localName }) => localName === "title");
    if (title === undefined) continue;
    title.remove();
    taken.push([each, title]);
  }
  return () => {
    for (const [parent, title] of taken) parent.prepend(title);
  };
}
