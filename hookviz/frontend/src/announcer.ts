/** Says what else only the eye would notice: a screen reader tells it when it has time, and not at every run. */

import type { Context } from "./context";
import { html, setText } from "./element";
import { follow, throttle } from "./lifetime";
import { SENTENCE_MS } from "./spoken-label";

export function mountAnnouncer(el: HTMLElement, { traits }: Context, signal: AbortSignal): void {
  const line = html("p", { class: "hv-unseen", role: "status" });
  el.append(line);
  const say = throttle(signal, SENTENCE_MS, () => {
    const { trouble, name } = traits.status.peek();
    const text = trouble === null ? "" : `${trouble.path || name}: ${trouble.text}`;
    setText(line, text);
  });
  follow(signal, () => {
    void traits.status.value.trouble;
    say();
  });
}
