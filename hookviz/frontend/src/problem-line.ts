/** A dismissible line that tells what went wrong last. */

import type { Context } from "./context";
import { button, html } from "./element";
import { follow } from "./lifetime";

export function mountProblemLine(el: HTMLElement, { kernel }: Context, signal: AbortSignal): void {
  const text = html("span", { role: "alert" });
  const dismiss = button("×", { "aria-label": "Dismiss", class: "hv-quiet" });
  el.append(text, dismiss);
  dismiss.addEventListener(
    "click",
    () => {
      kernel.problem.value = "";
    },
    { signal },
  );
  follow(signal, () => {
    text.textContent = kernel.problem.value;
    el.hidden = kernel.problem.value === "";
  });
}
