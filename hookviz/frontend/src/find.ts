/** Finding: a text in the toolbar, its hits in a list below and lit in the picture; Enter leads to one. */

import type { Context } from "./context";
import { html } from "./element";
import type { HitWire } from "./find-wire";
import { isTyping } from "./keyboard-guard";
import { follow, followChanges, throttle } from "./lifetime";
import { focusDiagram } from "./pane-keys";

/** Typing goes on while an answer is looked up. */
const TYPING_MS = 80;

let lists = 0;

export function mountFind(el: HTMLElement, context: Context, signal: AbortSignal): void {
  lists += 1;
  const listId = `hookviz-hits-${lists}`;
  const input = html("input", {
    type: "text",
    class: "hv-find-text",
    role: "combobox",
    placeholder: "Find… (/)",
    title: "Path, class, operation or shape: Conv2d, layer3.*, 8×512",
    "aria-label": "Find by path, class, operation or shape",
    "aria-autocomplete": "list",
    "aria-controls": listId,
    "aria-expanded": "false",
    "aria-keyshortcuts": "/",
    autocomplete: "off",
    spellcheck: "false",
  });
  const list = html("ul", { class: "hv-hits", id: listId, role: "listbox", "aria-label": "Hits" });
  const count = html("p", { class: "hv-hits-count hv-muted", role: "status" });
  const popup = html("div", { class: "hv-hits-popup", hidden: true }, list, count);
  el.append(input, popup);
  let active = 0;

  const setOpen = (isOpen: boolean): void => {
    popup.hidden = !isOpen;
    input.setAttribute("aria-expanded", String(isOpen));
    markActive();
  };
  const markActive = (): void => {
    const option = list.children[active];
    for (const each of list.children) each.setAttribute("aria-selected", String(each === option));
    if (option === undefined || popup.hidden) input.removeAttribute("aria-activedescendant");
    else {
      input.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    }
  };
  const show = (hits: HitWire[], total: number, isOpen = input.value.trim() !== ""): void => {
    context.hits.value = hits;
    active = 0;
    list.replaceChildren(...hits.map((hit, i) => option(hit, `${listId}-${i}`)));
    list.hidden = hits.length === 0;
    count.textContent = countText(hits.length, total);
    setOpen(isOpen);
  };
  const ask = async (isOpen?: boolean): Promise<void> => {
    const text = input.value;
    const answer = text.trim() === "" ? null : await context.kernel.request({ command: "find", text }, "find");
    // What was typed since is asked for by itself.
    if (signal.aborted || input.value !== text) return;
    if (answer !== null) show(answer.reply.hits, answer.reply.total, isOpen);
    else if (text.trim() === "") show([], 0);
  };
  const askSoon = throttle(signal, TYPING_MS, () => void ask());
  const jumpTo = (index: number): void => {
    const hit = context.hits.peek()[index];
    if (hit === undefined) return;
    active = index;
    setOpen(false);
    void jump(hit, context);
  };
  const move = (steps: number): void => {
    const { length } = context.hits.peek();
    if (length === 0) return;
    if (popup.hidden) setOpen(true);
    else active = (active + steps + length) % length;
    markActive();
  };
  const leave = (): void => {
    input.value = "";
    show([], 0);
    // A focus that stays in an emptied text would take the next letters for a search.
    const root = el.closest(".hookviz");
    if (root !== null) focusDiagram(root);
  };

  input.addEventListener("input", askSoon, { signal });
  // https://www.w3.org/WAI/ARIA/apg/patterns/combobox/
  input.addEventListener(
    "keydown",
    (event) => {
      if (event.key === "ArrowDown") move(1);
      else if (event.key === "ArrowUp") move(-1);
      // Closed, the list is gone through hit by hit.
      else if (event.key === "Enter") jumpTo(popup.hidden ? (active + 1) % (list.childElementCount || 1) : active);
      else if (event.key === "Escape") leave();
      else return;
      event.preventDefault();
    },
    { signal },
  );
  // The focus stays in the text, where the arrows are listened to.
  popup.addEventListener("mousedown", (event) => event.preventDefault(), { signal });
  list.addEventListener(
    "click",
    (event) => {
      const chosen = event.target instanceof Element ? event.target.closest("[role=option]") : null;
      if (chosen !== null) jumpTo([...list.children].indexOf(chosen));
    },
    { signal },
  );
  input.addEventListener("blur", () => setOpen(false), { signal });
  // A run may bring operations and shapes that were not known before.
  followChanges(
    signal,
    () => context.traits.graph.value,
    () => input.value.trim() !== "" && void ask(!popup.hidden),
  );
  follow(signal, () => {
    // A recording is looked through without a kernel, which is what finds.
    el.hidden = context.traits.status.value.state === "recorded";
  });
}

/** `/` leads to the text from wherever the focus is in the widget, other texts aside. */
export function focusFindOnSlash(root: HTMLElement, signal: AbortSignal): void {
  root.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "/" || isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      const input = root.querySelector<HTMLInputElement>(".hv-find-text");
      if (input === null) return;
      event.preventDefault();
      input.focus();
      input.select();
    },
    { signal },
  );
}

/** Unfolds what hides the hit, and selects it; the diagram scrolls to what is selected. */
async function jump(hit: HitWire, { kernel, traits, select }: Context): Promise<void> {
  const isShown = (): boolean => {
    const { nodes, groups } = traits.graph.peek();
    return [...nodes, ...groups].some(({ id }) => id === hit.node_id);
  };
  if (!isShown()) {
    if ((await kernel.request({ command: "reveal", path: hit.path }, "fold")) === null) return;
    // An operation lies inside of the module that its path names.
    if (!hit.node_id.startsWith("module:")) {
      if ((await kernel.request({ command: "fold", path: hit.path, expanded: true }, "fold")) === null) return;
    }
  }
  select(hit.node_id);
}

function option(hit: HitWire, id: string): HTMLElement {
  const isModule = hit.node_id.startsWith("module:");
  const place = isModule ? hit.path : hit.name;
  const kind = isModule ? hit.type_name : hit.path === "" ? "" : `in ${hit.path}`;
  return html(
    "li",
    { id, role: "option", "data-matched": hit.matched, "aria-selected": "false" },
    html("b", {}, place),
    html("span", { class: "hv-muted" }, kind),
    html("span", { class: "hv-hit-shape" }, hit.shape),
  );
}

/** `3 hits`, `50 of 312 hits`, `Nothing found`. */
export function countText(shown: number, total: number): string {
  if (total === 0) return "Nothing found";
  if (shown < total) return `${shown} of ${total} hits`;
  return total === 1 ? "1 hit" : `${total} hits`;
}
