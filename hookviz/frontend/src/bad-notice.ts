/** How many values of the shown block are no numbers, or where in the tensor the first one of them stands. */

import type { ReadonlySignal } from "@preact/signals-core";
import { button, html } from "./element";
import { follow } from "./lifetime";
import type { Picture } from "./picture";
import { badText } from "./value-text";

export function mountBadNotice(
  el: HTMLElement,
  picture: ReadonlySignal<Picture | null>,
  goTo: (index: number[]) => void,
  signal: AbortSignal,
): void {
  const text = html("span");
  const go = button("");
  el.append(text, go);
  follow(signal, () => {
    const shown = picture.value;
    const first = shown?.wire.first_bad ?? null;
    const here = shown === null ? "" : badText(shown);
    el.hidden = here === "" && first === null;
    text.textContent = here === "" ? "NaN or Inf elsewhere" : here;
    // Of a recording there is no other slice.
    go.hidden = here !== "" || first === null || shown?.wire.movable !== undefined;
    go.textContent = first === null ? "" : `Go to [${first.join(", ")}]`;
  });
  go.addEventListener(
    "click",
    () => {
      const first = picture.peek()?.wire.first_bad ?? null;
      if (first !== null) goTo(first);
    },
    { signal },
  );
}
