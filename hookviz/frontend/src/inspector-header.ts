/** Names the inspected node, and leads through its calls. */

import { mountCostLine } from "./cost-line";
import { button, html } from "./element";
import type { Inspection } from "./inspection";
import { follow } from "./lifetime";
import type { InspectionWire } from "./wire";

export function mountInspectorHeader(el: HTMLElement, inspection: Inspection, signal: AbortSignal): void {
  const name = html("b", { class: "hv-title" });
  const type = html("span", { class: "hv-muted" });
  const detail = html("div", { class: "hv-muted hv-small" });
  const previous = button("‹", { "aria-label": "Previous call", class: "hv-quiet" });
  const next = button("›", { "aria-label": "Next call", class: "hv-quiet" });
  const call = html("span", { "aria-live": "polite" });
  const step = html("span");
  const costs = html("div", { class: "hv-costs hv-muted hv-small" });
  el.append(
    html("h3", { class: "hv-heading" }, name, " ", type),
    detail,
    html("div", { class: "hv-calls hv-muted hv-small" }, previous, call, next, step),
    costs,
  );
  mountCostLine(costs, inspection, signal);

  const goBy = (steps: number) => () => {
    const shown = inspection.shown.peek();
    if (shown !== null) inspection.chooseCall(shown.call + steps);
  };
  previous.addEventListener("click", goBy(-1), { signal });
  next.addEventListener("click", goBy(1), { signal });

  follow(signal, () => {
    const shown = inspection.shown.value;
    if (shown === null) return;
    name.textContent = shown.path === "" || isInside(shown) ? shown.name : shown.path;
    type.textContent = shown.type_name || placeText(shown);
    detail.textContent = shown.detail;
    detail.hidden = shown.detail === "";
    const isSeveral = shown.calls > 1;
    previous.hidden = !isSeveral;
    next.hidden = !isSeveral;
    previous.disabled = shown.call <= 0;
    next.disabled = shown.call >= shown.calls - 1;
    call.textContent = callText(shown);
    step.textContent = shown.step > 0 ? `· step ${shown.step}` : "";
  });
}

/** An operation's path is that of the module in whose forward it ran. */
function isInside({ node_id }: InspectionWire): boolean {
  return !node_id.startsWith("module:");
}

function placeText(shown: InspectionWire): string {
  if (!isInside(shown) || !shown.node_id.startsWith("op:")) return "";
  return shown.path === "" ? "operation" : `operation in ${shown.path}`;
}

export function callText({ call, calls }: Pick<InspectionWire, "call" | "calls">): string {
  return calls === 0 ? "not called yet" : `call ${call + 1} of ${calls}`;
}
