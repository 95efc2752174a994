/** Finds hooks that hang at one place more than once: mostly a cell that was run again. */

import type { HookWire } from "./hook-wire";

/** How often the same function of the user hangs at the same place, for those that do so more than once. */
export function repeatedHooks(hooks: readonly HookWire[]): ReadonlyMap<string, number> {
  const same = new Map<string, string[]>();
  for (const { id, owner, kind, path, label, source } of hooks) {
    if (owner !== "user") continue;
    // Running a cell again gives it another number.
    const key = [kind, path, label, source.replace(/^In \[\d+\]/, "")].join("\n");
    same.set(key, [...(same.get(key) ?? []), id]);
  }
  const repeated = [...same.values()].filter((ids) => ids.length > 1);
  return new Map(repeated.flatMap((ids) => ids.map((id): [string, number] => [id, ids.length])));
}
