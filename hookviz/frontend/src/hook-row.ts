/** The lines of the hook list: an owner's heading with one switch for all, and a hook with its own. */

import { button, html } from "./element";
import { refusalHeight, refusalLine, refusalText } from "./group-refusal";
import type { HookBoard } from "./hook-board";
import { type OwnerGroup, ownerTitle, type Row } from "./hook-filter";
import { checkedText, isLocked, type OnOff, stateOf } from "./hook-state";
import type { HookWire } from "./hook-wire";
import { didText, hookLines, outcomeText, switchNote, toneOf } from "./hook-words";
import { NO_KERNEL } from "./kernel";
import { AGAIN_HINT } from "./learner";
import { formatCount } from "./numbers";

const GROUP_PX = 34;
const LINE_PX = 16;
const HOOK_PX = 30;

const NARROWEST_COLUMNS = 28;
const NOTE_CHARACTER_PX = 6.5;
/** What the button that removes a hook takes of them. */
const REMOVE_COLUMNS = 5;
/** The switch before a note, the padding of the pane and its scroll bar. */
const BESIDE_NOTE_PX = 72;

/** How many characters of a note surely stand on one line of a pane; what is longer gets a second line. */
export function noteColumns(paneWidth: number): number {
  return Math.max(NARROWEST_COLUMNS, Math.floor((paneWidth - BESIDE_NOTE_PX) / NOTE_CHARACTER_PX));
}

export function rowHeight(row: Row, board: HookBoard, columns: number): number {
  if (row.type === "group") return GROUP_PX + refusalHeight(refusalText(row.group, board));
  return hookHeight(row.hook, columns);
}

function hookHeight(hook: HookWire, columns: number): number {
  return HOOK_PX + LINE_PX * (1 + noteLines(hook, columns));
}

function noteLines(hook: HookWire, columns: number): number {
  const { length } = didText(hook);
  const free = hook.removable ? columns - REMOVE_COLUMNS : columns;
  return length === 0 ? 0 : length > free ? 2 : 1;
}

export function rowKey(row: Row): string {
  return row.type === "group" ? `group ${row.group.owner}` : `hook ${row.hook.id}`;
}

/** One line; `selected` is the id of the selected node, whose hooks are marked. */
export function drawRow(row: Row, board: HookBoard, selected: string, columns: number): HTMLElement {
  return row.type === "group" ? groupRow(row.group, board) : hookRow(row.hook, board, selected, columns);
}

function groupRow(group: OwnerGroup, board: HookBoard): HTMLElement {
  const { is, isLocked: locked } = stateOf(group.hooks, board.asked.value);
  const isReachable = board.isReachable.value;
  const refusal = refusalText(group, board);
  const title = ownerTitle(group.owner);
  const all = button("", {
    class: "hv-hook-switch",
    role: "checkbox",
    "aria-checked": checkedText(is),
    "aria-disabled": locked || !isReachable ? "true" : null,
    "aria-label": `${title}: all ${group.hooks.length} hooks shown`,
    title: isReachable ? hintOf(is, locked) : NO_KERNEL,
    "data-control": "switch",
    tabindex: -1,
  });
  all.append(html("span", { class: locked ? "hv-lock" : "hv-switch", "aria-hidden": "true" }));
  const heading = html(
    "div",
    { class: "hv-hook-group" },
    all,
    html("span", { class: "hv-hook-owner" }, title),
    html("span", { class: "hv-muted" }, formatCount(group.hooks.length)),
  );
  return html("div", { role: "listitem" }, heading, refusal === "" ? null : refusalLine(refusal));
}

function hintOf(is: OnOff, isLocked: boolean): string {
  if (isLocked) return "Locked: each says why";
  return is === "on" ? "Switch these off" : "Switch these on";
}

function hookRow(hook: HookWire, board: HookBoard, selected: string, columns: number): HTMLElement {
  const asked = board.asked.value;
  const refused = board.refused.value.get(hook.id);
  const note = switchNote(hook, refused, asked.has(hook.id));
  const words = button("", {
    class: "hv-hook-words",
    "data-control": "words",
    tabindex: -1,
    title: [`${hook.label} on ${placeOf(hook)}`, ...hookLines(hook, note)].join("\n"),
  });
  words.append(
    html("span", { class: "hv-hook-line" }, html("span", { class: "hv-hook-path" }, placeOf(hook)), outcomeChip(hook)),
    html(
      "span",
      { class: "hv-hook-line hv-hook-label" },
      html("span", { class: "hv-chip", "data-tone": toneOf(hook.side) }, hook.kind),
      html("span", {}, hook.label),
      againMark(board.repeated.value.get(hook.id)),
      sourceOf(hook),
    ),
  );
  const did = didText(hook);
  if (did !== "") words.append(html("span", { class: "hv-hook-note", "data-lines": noteLines(hook, columns) }, did));
  const row = html(
    "div",
    {
      class: "hv-hook",
      role: "listitem",
      "data-hook": hook.id,
      "data-outcome": hook.outcome,
      "data-refused": refused !== undefined,
      "data-here": hook.node_ids.includes(selected),
    },
    hookSwitch(hook, board),
    words,
  );
  row.style.height = `${hookHeight(hook, columns)}px`;
  if (hook.removable) row.append(removeButton(hook, board));
  return row;
}

/** A switch for one hook, here and in the inspector; what is locked says why and cannot be moved. */
export function hookSwitch(hook: HookWire, { asked, refused, isReachable }: HookBoard): HTMLButtonElement {
  const way = isReachable.value ? "" : NO_KERNEL;
  const { is, isPending } = stateOf([hook], asked.value);
  const note = switchNote(hook, refused.value.get(hook.id), asked.value.has(hook.id));
  const control = button("", {
    class: "hv-hook-switch",
    role: "switch",
    "aria-checked": checkedText(is),
    "aria-disabled": isLocked(hook) || way !== "" ? "true" : null,
    "aria-label": [`${hook.label} on ${placeOf(hook)}`, note].filter(Boolean).join(". "),
    title: way || note || (is === "on" ? "Switch off" : "Switch on"),
    "data-control": "switch",
    "data-pending": isPending,
    tabindex: -1,
  });
  control.append(
    isLocked(hook)
      ? html("span", { class: "hv-lock", "aria-hidden": "true" })
      : html("span", { class: "hv-switch", "aria-hidden": "true" }),
  );
  return control;
}

function outcomeChip({ outcome }: HookWire): HTMLElement | null {
  // That a hook looked on is what most do; only what is special is marked.
  if (outcome === "" || outcome === "observed") return null;
  return html("span", { class: "hv-outcome", "data-outcome": outcome }, outcomeText(outcome));
}

function againMark(times: number | undefined): HTMLElement | null {
  return times === undefined ? null : html("span", { class: "hv-again", title: AGAIN_HINT }, `×${times}`);
}

function sourceOf({ source }: HookWire): HTMLElement | null {
  return source === "" ? null : html("span", { class: "hv-muted" }, ` · ${source}`);
}

function removeButton(hook: HookWire, { isReachable }: HookBoard): HTMLButtonElement {
  return button("×", {
    disabled: !isReachable.value,
    class: "hv-quiet hv-hook-remove",
    "aria-label": `Remove ${hook.label} on ${placeOf(hook)}`,
    title: "Take this hook off for good",
    "data-control": "remove",
    tabindex: -1,
  });
}

export function placeOf({ path }: Pick<HookWire, "path">): string {
  return path === "" ? "the model itself" : path;
}
