/** Every hook on the model, in groups by owner, filtered; a click on a line selects its module. */

import { computed, Signal, untracked } from "@preact/signals-core";
import type { Context } from "./context";
import { html } from "./element";
import { type HookFilter, listRows, type Row } from "./hook-filter";
import { drawRow, noteColumns, rowHeight, rowKey } from "./hook-row";
import { stateOf } from "./hook-state";
import type { HookWire } from "./hook-wire";
import { follow, onResize } from "./lifetime";
import { drawUnlessPressed } from "./pressed";
import { createVirtualList, type VirtualList } from "./virtual-list";

/** `scroller` is what scrolls the list together with what stands above it. */
export function mountHookList(el: HTMLElement, scroller: HTMLElement, context: Context, signal: AbortSignal): void {
  const { hooks: board, hookFilter } = context;
  const lines = html("div", { class: "hv-hook-list", role: "list", "aria-label": "Hooks" });
  const nothing = html("p", { class: "hv-footnote hv-muted" });
  el.append(lines, nothing);
  const rows = computed(() => listRows(board.all.value, hookFilter.value));
  const columns = new Signal(noteColumns(scroller.clientWidth));
  onResize(signal, scroller, () => {
    columns.value = noteColumns(scroller.clientWidth);
  });
  const maker = {
    key: rowKey,
    height: (row: Row) => rowHeight(row, board, columns.peek()),
    draw: (row: Row) => drawRow(row, board, context.traits.selected.peek(), columns.peek()),
  };
  const list = createVirtualList(lines, scroller, maker, signal);
  const draw = drawUnlessPressed(
    lines,
    () => {
      list.show(rows.peek());
      markTabStop(lines);
    },
    signal,
  );
  follow(signal, () => {
    void [
      board.asked.value,
      board.refused.value,
      board.isReachable.value,
      context.traits.selected.value,
      columns.value,
    ];
    nothing.textContent = nothingText(board.all.value, rows.value, hookFilter.value);
    nothing.hidden = nothing.textContent === "";
    untracked(draw);
  });
  actOnClicks(lines, rows, context, signal);
  moveByKeys(lines, rows, list, signal);
}

function nothingText(all: readonly HookWire[], rows: readonly Row[], { path }: HookFilter): string {
  if (all.length === 0) return "No hook hangs on this model. Those that you or a library register show up here.";
  if (rows.length > 0) return "";
  return path === null ? "No hook matches." : `No hook at ${path || "the model itself"} matches.`;
}

function actOnClicks(
  lines: HTMLElement,
  rows: { peek(): readonly Row[] },
  context: Context,
  signal: AbortSignal,
): void {
  const { hooks: board } = context;
  lines.addEventListener(
    "click",
    ({ target }) => {
      const control = target instanceof Element ? target.closest<HTMLElement>("[data-control]") : null;
      const key = control?.closest<HTMLElement>("[data-key]")?.dataset.key;
      const row = rows.peek().find((each) => rowKey(each) === key);
      if (control === null || row === undefined) return;
      if (control.dataset.control === "dismiss") {
        // A focus that vanishes with its line would end in the host, where letters are commands.
        control.closest("[data-key]")?.querySelector<HTMLElement>("[data-control=switch]")?.focus();
        board.dismiss();
      } else if (row.type === "group") {
        const { hooks, owner } = row.group;
        void board.turn(hooks, stateOf(hooks, board.asked.peek()).is !== "on", owner);
      } else if (control.dataset.control === "switch") {
        void board.turn([row.hook], stateOf([row.hook], board.asked.peek()).is === "off");
      } else if (control.dataset.control === "remove") void board.remove(row.hook);
      else select(row.hook, context);
    },
    { signal },
  );
}

/** Selects the hook's card; a module that is folded away is unfolded first. */
function select({ node_ids }: HookWire, { traits, kernel, select: choose }: Context): void {
  const { nodes, groups } = traits.graph.peek();
  const drawn = node_ids.find((id) => nodes.some((node) => node.id === id) || groups.some((group) => group.id === id));
  const id = drawn ?? node_ids[0];
  if (id === undefined) return;
  if (drawn === undefined) {
    const path = id.replace(/^module:/, "");
    // Where the picture would get too large, the card that holds the module is marked instead.
    void kernel.request({ command: "reveal", path }, "fold", () => {});
  }
  choose(id);
}

/** Arrows move from line to line, and Tab leads into the list once, however long it is. */
function moveByKeys(
  lines: HTMLElement,
  rows: { peek(): readonly Row[] },
  list: VirtualList<Row>,
  signal: AbortSignal,
): void {
  lines.addEventListener(
    "keydown",
    (event) => {
      const step = { ArrowUp: -1, ArrowDown: 1, PageUp: -8, PageDown: 8, Home: -1e9, End: 1e9 }[event.key];
      const control = event.target instanceof HTMLElement ? event.target : null;
      const line = control?.closest<HTMLElement>("[data-key]");
      if (control === null || line === null || line === undefined) return;
      if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
        const all = [...line.querySelectorAll<HTMLElement>("[data-control]")];
        focusOn(lines, all[all.indexOf(control) + (event.key === "ArrowRight" ? 1 : -1)]);
        event.preventDefault();
      } else if (step !== undefined) {
        const at = rows.peek().findIndex((row) => rowKey(row) === line.dataset.key);
        const next = list.reveal(Math.min(Math.max(at + step, 0), rows.peek().length - 1));
        const same = `[data-control="${control.dataset.control}"]`;
        focusOn(lines, next?.querySelector<HTMLElement>(`${same}, [data-control]`) ?? undefined);
        event.preventDefault();
      }
    },
    { signal },
  );
  lines.addEventListener("focusin", ({ target }) => target instanceof HTMLElement && markTabStop(lines, target), {
    signal,
  });
}

function focusOn(lines: HTMLElement, control: HTMLElement | undefined): void {
  if (control === undefined) return;
  markTabStop(lines, control);
  control.focus({ preventScroll: true });
}

function markTabStop(lines: HTMLElement, wanted?: HTMLElement): void {
  const focused = document.activeElement instanceof HTMLElement && lines.contains(document.activeElement);
  const stop = wanted ?? (focused ? (document.activeElement as HTMLElement) : lines.querySelector("[data-control]"));
  for (const each of lines.querySelectorAll<HTMLElement>("[data-control]")) each.tabIndex = each === stop ? 0 : -1;
}
