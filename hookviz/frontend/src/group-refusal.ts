/** What stands below a group's heading when its switch could not turn them all. */

import { button, html } from "./element";
import type { HookBoard } from "./hook-board";
import type { OwnerGroup } from "./hook-filter";
import { formatCount } from "./numbers";

const LINE_PX = 15;
const PADDING_PX = 12;
const MOST_LINES = 5;

/** What surely stands on one line of the narrowest pane. */
const COLUMNS = 28;

/** How many of the group stayed, and why the first did; empty where its switch was not pressed or turned all. */
export function refusalText({ owner, hooks }: OwnerGroup, { refused, turned }: HookBoard): string {
  if (turned.value !== owner) return "";
  const [first, ...others] = hooks.flatMap(({ id }) => refused.value.get(id) ?? []);
  if (first === undefined) return "";
  const count = others.length + 1;
  return `${formatCount(count)} of ${formatCount(hooks.length)} ${count === 1 ? "stays" : "stay"} as before. ${first}`;
}

export function refusalHeight(text: string): number {
  return text === "" ? 0 : PADDING_PX + LINE_PX * refusalLines(text);
}

function refusalLines(text: string): number {
  return Math.min(MOST_LINES, Math.ceil(text.length / COLUMNS));
}

export function refusalLine(text: string): HTMLElement {
  const words = html("span", { title: text }, text);
  words.style.setProperty("-webkit-line-clamp", String(refusalLines(text)));
  const dismiss = button("×", {
    class: "hv-quiet",
    "aria-label": "Dismiss",
    "data-control": "dismiss",
    tabindex: -1,
  });
  return html("div", { class: "hv-refusal" }, words, dismiss);
}
