/** The expression that gives the shown value in Python, to copy into a cell. */

import { button, html } from "./element";
import type { Inspection } from "./inspection";
import { follow } from "./lifetime";

const SHOWN_MS = 1500;

export function mountPythonLine(el: HTMLElement, inspection: Inspection, signal: AbortSignal): void {
  const code = html("code", { tabindex: 0 });
  const copy = button("Copy", { "aria-label": "Copy the Python expression" });
  el.append(html("h4", { class: "hv-section" }, "In Python"), html("div", { class: "hv-code" }, code, copy));
  follow(signal, () => {
    const python = inspection.entry.value?.python ?? "";
    el.hidden = python === "";
    code.textContent = python;
  });
  copy.addEventListener(
    "click",
    async () => {
      copy.textContent = (await copyText(code)) ? "Copied" : "Press Ctrl+C";
      setTimeout(() => {
        copy.textContent = "Copy";
      }, SHOWN_MS);
    },
    { signal },
  );
}

/** False where the page may not write to the clipboard (plain http): then the text is selected for the user. */
async function copyText(code: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(code.textContent ?? "");
    return true;
  } catch {
    window.getSelection()?.selectAllChildren(code);
    return false;
  }
}
