/** The expression that gives the shown value in Python, to copy into a cell. */

import type { ReadonlySignal } from "@preact/signals-core";
import { copyText } from "./clipboard";
import { button, html } from "./element";
import type { Inspection } from "./inspection";
import { follow } from "./lifetime";
import { type Picture, pythonSlice } from "./picture";
import type { EntryWire } from "./wire";

const SHOWN_MS = 1500;

export function mountPythonLine(
  el: HTMLElement,
  inspection: Inspection,
  picture: ReadonlySignal<Picture | null>,
  signal: AbortSignal,
): void {
  const code = html("code", { tabindex: 0 });
  const copy = button("Copy", { "aria-label": "Copy the Python expression" });
  el.append(html("h4", { class: "hv-section" }, "In Python"), html("div", { class: "hv-code" }, code, copy));
  follow(signal, () => {
    const entry = inspection.entry.value;
    const python = entry === null ? "" : pythonOf(entry);
    el.hidden = python === "";
    const shown = picture.value;
    const text = `${python}${shown === null || python === "" ? "" : pythonSlice(shown.wire)}`;
    // It may break before a dot or a bracket, which adds nothing to what is copied.
    code.replaceChildren(...text.split(/(?=[.[])/).flatMap((part) => [html("wbr"), part]));
  });
  copy.addEventListener(
    "click",
    async () => {
      if (await copyText(code.textContent ?? "")) copy.textContent = "Copied";
      else {
        window.getSelection()?.selectAllChildren(code);
        copy.textContent = "Press Ctrl+C";
      }
      setTimeout(() => {
        copy.textContent = "Copy";
      }, SHOWN_MS);
    },
    { signal },
  );
}

/** Of a tensor that was not kept its statistics are there; of one that was not captured, nothing. */
function pythonOf({ python, kept, summary }: EntryWire): string {
  if (kept || !python.endsWith(".tensor")) return python;
  return summary === null ? "" : python.replace(/tensor$/, "summary");
}
