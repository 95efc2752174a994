/** What can be done with the value that the inspector shows: compare it, or have its tensor kept. */

import { Signal } from "@preact/signals-core";
import { shownPlace } from "./compare-bar";
import type { Context } from "./context";
import { button, html } from "./element";
import type { Inspection } from "./inspection";
import { follow } from "./lifetime";

const MODULE = "module:";

export function mountStepActions(el: HTMLElement, context: Context, inspection: Inspection, signal: AbortSignal): void {
  const { kernel, traits, isConnected } = context;
  const compare = button("", {
    title: "Pin this value as A, then choose another node, call, tab or step as B",
  });
  const keep = button("");
  const promise = new Signal("");
  const said = html("p", { class: "hv-reason", role: "status" });
  el.append(html("div", { class: "hv-action-row" }, compare, keep), said);

  compare.addEventListener(
    "click",
    () => {
      const place = shownPlace(inspection);
      if (place !== null) void kernel.request({ command: "pin", ...place });
    },
    { signal },
  );
  keep.addEventListener(
    "click",
    async () => {
      const place = shownPlace(inspection);
      if (place === null) return;
      const answer = await kernel.request({ command: "keep", ...place, kept: keep.dataset.kept !== "true" });
      if (answer !== null) promise.value = answer.reply.text;
    },
    { signal },
  );

  let lastNode = "";
  follow(signal, () => {
    const shown = inspection.shown.value;
    const entry = inspection.entry.value;
    const { kept_first } = traits.playback.value;
    if (shown?.node_id !== lastNode) {
      lastNode = shown?.node_id ?? "";
      promise.value = "";
    }
    const isModule = shown?.node_id.startsWith(MODULE) === true && shown.tab !== "parameters";
    const isKept = isModule && kept_first.includes(shown.node_id.slice(MODULE.length));
    compare.hidden = entry === null || entry.summary === null;
    keep.hidden = !isModule || entry === null || entry.summary === null || (entry.kept && !isKept);
    compare.textContent = traits.playback.value.pinned === null ? "Compare with…" : "Pin this as A";
    keep.dataset.kept = String(isKept);
    keep.textContent = isKept ? "No longer keep this tensor" : "Keep this tensor from the next run";
    keep.title = isKept
      ? "Its tensors are kept before all others"
      : "Keep the tensors of this module before all others, from the next captured run on";
    said.textContent = promise.value;
    said.hidden = promise.value === "";
    // Of a recording nothing can be asked.
    el.hidden = (compare.hidden && keep.hidden) || traits.status.value.state === "recorded" || !isConnected.value;
  });
}
