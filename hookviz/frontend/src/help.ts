/** The help: a dialog with the keys and the signs, which `?` opens from wherever the focus is in the widget. */

import type { Context } from "./context";
import { button, html } from "./element";
import { KEYS, MOUSE, SIGNS } from "./help-text";
import { isTyping } from "./keyboard-guard";
import { follow } from "./lifetime";

const TITLE = "Keys and signs";

export function mountHelp(root: HTMLElement, { isHelpOpen }: Context, signal: AbortSignal): void {
  const close = button("×", { class: "hv-quiet hv-close", "aria-label": "Close the help", autofocus: true });
  const dialog = html(
    "dialog",
    { class: "hv-help", "aria-label": TITLE },
    html("h2", { class: "hv-help-title" }, TITLE),
    close,
    // Longer than a small window, so it must be reached by the keys that scroll.
    html("div", { class: "hv-help-text", tabindex: 0, role: "region", "aria-label": TITLE }, ...content()),
  );
  root.append(dialog);
  let opener: Element | null = null;

  root.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "?" || isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      isHelpOpen.value = true;
    },
    { signal },
  );
  // The browser closes the dialog by Escape; nothing behind it hears of the keys.
  dialog.addEventListener("keydown", (event) => event.stopPropagation(), { signal });
  close.addEventListener("click", () => dialog.close(), { signal });
  // A click on what lies around the text has the dialog itself as its target.
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close(), { signal });
  dialog.addEventListener(
    "close",
    () => {
      isHelpOpen.value = false;
      giveBack(root, opener);
    },
    { signal },
  );
  follow(signal, () => {
    if (!isHelpOpen.value) return;
    opener = document.activeElement;
    dialog.showModal();
  });
}

/** To where the focus came from; a card that was drawn anew meanwhile is found by its tab stop. */
function giveBack(root: HTMLElement, opener: Element | null): void {
  const target =
    opener?.isConnected && root.contains(opener) ? opener : root.querySelector("[data-node][tabindex='0']");
  if (target instanceof HTMLElement || target instanceof SVGElement) target.focus({ preventScroll: true });
}

function content(): HTMLElement[] {
  const keys = KEYS.map(({ place, lines }) => section(place, lines.map(keyLine)));
  const signs = SIGNS.map(([sign, tone, meaning]): Line => [[html("code", { "data-tone": tone }, sign)], meaning]);
  return [
    html("div", {}, ...keys.slice(0, 3), section("With the mouse", MOUSE.map(keyLine))),
    html("div", {}, ...keys.slice(3), section("Signs on a card", signs)),
  ];
}

type Line = readonly [term: readonly (Node | string)[], meaning: string];

function keyLine([keys, effect]: readonly [readonly string[], string]): Line {
  return [keys.flatMap((key, i) => [i === 0 ? "" : " ", html("kbd", {}, key)]), effect];
}

function section(title: string, lines: readonly Line[]): HTMLElement {
  const rows = lines.flatMap(([term, meaning]) => [html("dt", {}, ...term), html("dd", {}, meaning)]);
  return html("section", {}, html("h3", { class: "hv-section" }, title), html("dl", {}, ...rows));
}
