/** Switches hooks for all panes of a view: what is on its way, what Python refused. */

import { computed, type ReadonlySignal, Signal } from "@preact/signals-core";
import type { Owner } from "./hook-filter";
import { repeatedHooks } from "./hook-repeats";
import { isLocked } from "./hook-state";
import type { HookWire } from "./hook-wire";
import type { Kernel } from "./kernel";
import { followChanges } from "./lifetime";

export interface HookBoard {
  readonly all: ReadonlySignal<readonly HookWire[]>;
  readonly byId: ReadonlySignal<ReadonlyMap<string, HookWire>>;
  /** Hooks that hang at their place more than once, with how often. */
  readonly repeated: ReadonlySignal<ReadonlyMap<string, number>>;
  /** Hooks whose switch Python has not answered yet, with what they will be. */
  readonly asked: ReadonlySignal<ReadonlyMap<string, boolean>>;
  /** Hooks that the last click could not switch, with a sentence on why. */
  readonly refused: ReadonlySignal<ReadonlyMap<string, string>>;
  /** False without a kernel, where nothing can be switched. */
  readonly isReachable: ReadonlySignal<boolean>;
  /** The group whose switch was clicked last; null where it was the switch of one hook. */
  readonly turned: ReadonlySignal<Owner | null>;
  /** Switches those of the hooks that can be switched; for the others the reason is kept in `refused`. */
  turn(hooks: readonly HookWire[], isOn: boolean, group?: Owner): Promise<void>;
  /** Tells no longer what was refused. */
  dismiss(): void;
  remove(hook: HookWire): Promise<void>;
}

const NONE = new Map<string, never>();

export function createHookBoard(
  all: ReadonlySignal<readonly HookWire[]>,
  runs: ReadonlySignal<number>,
  kernel: Kernel,
  isReachable: ReadonlySignal<boolean>,
  signal: AbortSignal,
): HookBoard {
  const asked = new Signal<ReadonlyMap<string, boolean>>(NONE);
  const refused = new Signal<ReadonlyMap<string, string>>(NONE);
  const turned = new Signal<Owner | null>(null);
  const dismiss = (): void => {
    refused.value = NONE;
  };
  // What was refused is told until the model runs again.
  followChanges(signal, () => runs.value, dismiss);

  return {
    all,
    byId: computed(() => new Map(all.value.map((hook) => [hook.id, hook]))),
    repeated: computed(() => repeatedHooks(all.value)),
    asked,
    refused,
    isReachable,
    turned,
    dismiss,
    async turn(hooks, isOn, group) {
      turned.value = group ?? null;
      const locked = hooks.filter(isLocked);
      const ids = hooks.filter((hook) => !isLocked(hook)).map(({ id }) => id);
      refused.value = new Map(
        locked.map((hook) => [hook.id, `${hook.label} stays ${hook.enabled ? "on" : "off"}: ${hook.protected}.`]),
      );
      if (ids.length === 0) return;
      asked.value = new Map([...asked.peek(), ...ids.map((id): [string, boolean] => [id, isOn])]);
      const answer = await kernel.request({ command: "hook_switch", hook_ids: ids, enabled: isOn });
      const left = new Map(asked.peek());
      for (const id of ids) left.delete(id);
      asked.value = left;
      if (answer === null) return;
      const told = answer.reply.refused.map(({ hook_id, reason }): [string, string] => [hook_id, reason]);
      refused.value = new Map([...refused.peek(), ...told]);
    },
    async remove(hook) {
      await kernel.request({ command: "hook_remove", hook_id: hook.id });
    },
  };
}

/** Why the first of the refused hooks was not switched, and how many more there are; empty where none was. */
export function refusedText({ refused }: HookBoard): string {
  const [first = "", ...others] = refused.value.values();
  return others.length === 0 ? first : `${first} And ${others.length} more.`;
}
