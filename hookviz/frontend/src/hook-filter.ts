/** Which hooks the list shows, and in which groups; nothing of the page in here. */

import type { HookWire } from "./hook-wire";

export interface HookFilter {
  text: string;
  /** Empty text for every kind. */
  kind: string;
  /** Hooks at this module, inside of it and on its parameters; empty text for the model itself, null for all. */
  path: string | null;
}

export const EVERY_HOOK: HookFilter = { text: "", kind: "", path: null };

export type Owner = "yours" | "written" | "libraries" | "global";

export interface OwnerGroup {
  owner: Owner;
  hooks: readonly HookWire[];
}

/** A line of the list. */
export type Row = { type: "group"; group: OwnerGroup } | { type: "hook"; hook: HookWire };

const ORDER: readonly Owner[] = ["yours", "written", "libraries", "global"];

export function ownerTitle(owner: Owner): string {
  switch (owner) {
    case "yours":
      return "Yours · notebook";
    case "written":
      return "Written here";
    case "libraries":
      return "Libraries";
    case "global":
      return "Global · all modules";
    default:
      return owner satisfies never;
  }
}

function ownerOf({ owner, path, kind }: HookWire): Owner {
  if (kind.startsWith("global_") || path === "global") return "global";
  return owner === "hookviz" ? "written" : owner === "user" ? "yours" : "libraries";
}

/** What a text is looked for in; kept per hook, since every key stroke asks for all of them. */
const haystacks = new WeakMap<HookWire, string>();

function haystack(hook: HookWire): string {
  const known = haystacks.get(hook);
  if (known !== undefined) return known;
  const text = [hook.path, hook.label, hook.kind, hook.source, ...hook.flags].join("\n").toLowerCase();
  haystacks.set(hook, text);
  return text;
}

/** Hooks in which every word of the filter occurs. */
export function filterHooks(hooks: readonly HookWire[], { text, kind, path }: HookFilter): HookWire[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return hooks.filter(
    (hook) =>
      (kind === "" || hook.kind === kind) &&
      (path === null || isAt(hook, path)) &&
      words.every((word) => haystack(hook).includes(word)),
  );
}

function isAt({ path: at, node_ids }: HookWire, path: string): boolean {
  if (path === "") return at === "" || node_ids.includes("module:");
  return at === path || at.startsWith(`${path}.`);
}

export function groupHooks(hooks: readonly HookWire[]): OwnerGroup[] {
  const groups = new Map<Owner, HookWire[]>(ORDER.map((owner) => [owner, []]));
  for (const hook of hooks) groups.get(ownerOf(hook))?.push(hook);
  return [...groups].filter(([, members]) => members.length > 0).map(([owner, members]) => ({ owner, hooks: members }));
}

export function listRows(hooks: readonly HookWire[], filter: HookFilter): Row[] {
  return groupHooks(filterHooks(hooks, filter)).flatMap((group): Row[] => [
    { type: "group", group },
    ...group.hooks.map((hook): Row => ({ type: "hook", hook })),
  ]);
}

/** The kinds that there are, in the order of the list. */
export function kindsOf(hooks: readonly HookWire[]): string[] {
  return [...new Set(hooks.map(({ kind }) => kind))];
}
