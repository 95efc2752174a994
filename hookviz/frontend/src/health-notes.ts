/** In the inspector, what looks wrong with the module that is selected. */

import { type Context, selectedPath } from "./context";
import { html } from "./element";
import { follow } from "./lifetime";

export function mountHealthNotes(el: HTMLElement, context: Context, signal: AbortSignal): void {
  follow(signal, () => {
    const path = selectedPath(context);
    const findings = context.traits.health.value.findings.filter(({ module }) => module === path);
    el.hidden = findings.length === 0;
    el.replaceChildren(
      ...findings.map(({ symptom, sentence, is_alarm }) =>
        // The sentence on a NaN begins with the word.
        sentence.startsWith(symptom)
          ? html("li", { "data-alarm": is_alarm }, sentence)
          : html("li", { "data-alarm": is_alarm }, html("b", {}, symptom), ` ${sentence}`),
      ),
    );
  });
}
