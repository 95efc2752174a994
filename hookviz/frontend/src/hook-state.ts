/** What a set of hooks is, taken together: on, off or mixed; on its way; locked. */

import type { HookWire } from "./hook-wire";
import { formatCount } from "./numbers";

export type OnOff = "on" | "off" | "partly";

export interface HookState {
  is: OnOff;
  /** A switch of one of them has not taken effect yet. */
  isPending: boolean;
  /** None of them can be switched. */
  isLocked: boolean;
  /** One of them raised in the shown run. */
  hasRaised: boolean;
}

/** The state of some hooks; `asked` has those that are being switched, with what they will be. */
export function stateOf(hooks: readonly HookWire[], asked: ReadonlyMap<string, boolean>): HookState {
  const on = hooks.filter((hook) => asked.get(hook.id) ?? hook.enabled).length;
  return {
    is: on === 0 ? "off" : on === hooks.length ? "on" : "partly",
    isPending: hooks.some((hook) => hook.pending || asked.has(hook.id)),
    isLocked: hooks.every(isLocked),
    hasRaised: hooks.some((hook) => hook.outcome === "raised"),
  };
}

export function isLocked(hook: HookWire): boolean {
  return hook.protected !== "";
}

/** `aria-checked` of a switch or check box of several. */
export function checkedText(is: OnOff): "true" | "false" | "mixed" {
  switch (is) {
    case "on":
      return "true";
    case "off":
      return "false";
    case "partly":
      return "mixed";
    default:
      return is satisfies never;
  }
}

/** `6 on · 1 off`. */
export function hookCount(hooks: readonly HookWire[], asked: ReadonlyMap<string, boolean>): string {
  const on = hooks.filter((hook) => asked.get(hook.id) ?? hook.enabled).length;
  return `${formatCount(on)} on · ${formatCount(hooks.length - on)} off`;
}
