/** The hooks pane: what hookviz captures, and every other hook on the model. */

import type { Context } from "./context";
import { html } from "./element";
import { mountHookList } from "./hook-list";
import { mountHookSearch } from "./hook-search";
import { hookCount } from "./hook-state";
import { follow } from "./lifetime";
import { mountSwitches } from "./switches";

export function mountHooksPane(el: HTMLElement, context: Context, signal: AbortSignal): void {
  const { hooks, traits } = context;
  const count = html("span", { class: "hv-muted" });
  const capture = html("div", { class: "hv-capture" });
  const search = html("div", { class: "hv-hook-search", role: "search" });
  const list = html("section", { "aria-label": "Hooks on this model" });
  const footnote = html("p", { class: "hv-footnote hv-muted" });
  el.append(
    html("h3", { class: "hv-heading hv-hooks-heading" }, "Hooks", count),
    capture,
    html("h4", { class: "hv-section" }, "On this model"),
    search,
    list,
    footnote,
  );
  mountSwitches(capture, context, signal);
  mountHookSearch(search, context, signal);
  mountHookList(list, el, context, signal);
  follow(signal, () => {
    const isRecorded = traits.status.value.state === "recorded";
    capture.hidden = isRecorded;
    footnote.textContent = footnoteOf(isRecorded, hooks.isReachable.value);
    count.textContent = hooks.all.value.length === 0 ? "" : hookCount(hooks.all.value, hooks.asked.value);
  });
}

function footnoteOf(isRecorded: boolean, isReachable: boolean): string {
  if (isRecorded) return "A recording: hooks can be read, but not switched.";
  return isReachable ? "A switch acts from the next run of the model." : "No kernel: nothing can be switched.";
}
