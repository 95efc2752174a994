/** What the switches say about a module. */

import type { Switch, SwitchWire } from "./wire";

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
