/** One switch with what it captures; `data-what` and `data-path` say which. */

import { button, html } from "./element";
import type { Switch } from "./wire";

export function switchRow(
  what: Switch,
  path: string | null,
  isOn: boolean,
  note: string,
  isLocked = false,
  title: string = what,
): HTMLButtonElement {
  const row = button("", {
    class: "hv-switch-row",
    role: "switch",
    "aria-checked": String(isOn),
    "aria-disabled": isLocked ? "true" : null,
    "aria-label": path === null ? `${what}, every module` : `${what} of ${path || "the model itself"}`,
    "data-what": what,
    "data-path": path,
    title: note || null,
  });
  const words = html("span", { class: "hv-switch-words" }, html("span", { class: "hv-switch-title" }, title));
  if (note !== "") words.append(html("small", { class: "hv-muted" }, note));
  row.append(html("span", { class: "hv-switch", "aria-hidden": "true" }), words);
  return row;
}
