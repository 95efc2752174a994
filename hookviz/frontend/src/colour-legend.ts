/** By what the cards are coloured: the choice, and what the colours mean. */

import type { ColoursWire } from "./colour-wire";
import type { Context } from "./context";
import { html } from "./element";
import { follow } from "./lifetime";

export function mountColourLegend(el: HTMLElement, context: Context, signal: AbortSignal): void {
  const { traits, scheme } = context;
  const choice = html("select", { "aria-label": "Colour by" });
  const low = html("span");
  const ramp = html("span", { class: "hv-ramp", "aria-hidden": "true" });
  const high = html("span");
  const note = html("span", { class: "hv-muted" });
  const scale = html("span", { class: "hv-scale" }, low, ramp, high, note);
  el.append(choice, scale);
  choice.addEventListener("change", () => context.colourBy(choice.value), { signal });

  let offered = "";
  follow(signal, () => {
    const colours = traits.colours.value;
    const offers = colours.choices.map(({ by }) => by).join();
    if (offers !== offered) {
      offered = offers;
      choice.replaceChildren(
        html("option", { value: "" }, "no colours"),
        ...colours.choices.map(({ by, title }) => html("option", { value: by }, title)),
      );
    }
    choice.value = traits.colour_by.value;
    choice.title = colours.choices.find(({ by }) => by === colours.by)?.explanation ?? "Colour the cards by a number";
    scale.hidden = colours.by === "";
    const hasScale = colours.low !== "";
    for (const part of [low, ramp, high]) part.hidden = !hasScale;
    low.textContent = colours.low;
    high.textContent = colours.high;
    note.textContent = noteOf(colours);
    note.hidden = note.textContent === "";
    // A narrow pane cuts it off.
    note.title = note.textContent;
    ramp.style.background = `linear-gradient(to right, ${colours[scheme.value].join(", ")})`;
  });
}

function noteOf({ low, is_log, note }: ColoursWire): string {
  if (low === "") return note;
  return is_log ? "log" : "";
}
