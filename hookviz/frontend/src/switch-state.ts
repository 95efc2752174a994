/** What the switches say about a module. */

import type { Switch, SwitchWire, Tab } from "./wire";

/** The kind of capture that fills a tab; parameters are simply there. */
export function switchOf(tab: Tab): Switch | null {
  switch (tab) {
    case "output":
      return "outputs";
    case "input":
      return "inputs";
    case "grad_output":
    case "grad_input":
      return "gradients";
    case "parameters":
      return null;
    default:
      return tab satisfies never;
  }
}

export function isOn({ enabled, off_paths }: SwitchWire, path: string): boolean {
  return enabled && !off_paths.includes(path);
}

/** The modules at which a kind of capture is off although it is on in general. */
export function offPlaces(switches: readonly SwitchWire[]): { path: string; what: Switch }[] {
  return switches.flatMap(({ what, enabled, off_paths }) => (enabled ? off_paths.map((path) => ({ path, what })) : []));
}

/** `2 on · 1 off`. */
export function onCount(switches: readonly SwitchWire[]): string {
  const on = switches.filter(({ enabled }) => enabled).length;
  return `${on} on · ${switches.length - on} off`;
}
