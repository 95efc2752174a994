/** The captured steps, to go back to: a slider that follows the newest, or holds one of the past. */

import { computed, type ReadonlySignal, Signal } from "@preact/signals-core";
import type { Context } from "./context";
import { button, html, setText } from "./element";
import { isTyping } from "./keyboard-guard";
import { follow, followChanges } from "./lifetime";
import { placeOf, playbackText, stepAt } from "./playback-text";

export function mountPlayback(el: HTMLElement, root: HTMLElement, context: Context, signal: AbortSignal): void {
  const { playback, status } = context.traits;
  el.setAttribute("role", "group");
  el.setAttribute("aria-label", "Captured steps");
  const previous = button("‹", { "aria-label": "Previous captured step", title: "Previous captured step  [" });
  const slider = html("input", { type: "range", min: 0, step: 1, "aria-label": "Captured step" });
  const next = button("›", { "aria-label": "Next captured step", title: "Next captured step  ]" });
  const text = html("span", { class: "hv-playback-text" });
  const live = button("Back to live", { class: "hv-playback-live", title: "Follow the newest step again  l" });
  const whole = button("", {
    class: "hv-playback-whole",
    title: "A part of the model was called by itself: show the last run of the whole model",
  });
  const note = html("span", { class: "hv-playback-note hv-muted" });
  const said = html("span", { class: "hv-unseen", role: "status" });
  el.append(previous, slider, next, text, whole, live, note, said);
  const { hold, asked } = createHold(context);
  /** Of what was asked for last, so that of quick keys each leads one step further. */
  const place = computed(() => placeOf(playback.value, asked.value === null ? playback.value.held : asked.value.step));

  const goBy = (steps: number): void => {
    const now = playback.peek();
    if (now.steps.length > 1) hold(stepAt(now, place.peek() + steps));
  };
  previous.addEventListener("click", () => goBy(-1), { signal });
  next.addEventListener("click", () => goBy(1), { signal });
  live.addEventListener("click", () => hold(null), { signal });
  whole.addEventListener("click", () => hold(playback.peek().whole), { signal });
  slider.addEventListener("input", () => hold(stepAt(playback.peek(), Number(slider.value))), { signal });
  handleKeys(root, { goBy, goLive: () => hold(null) }, signal);

  announce(said, context.traits, signal);
  follow(signal, () => {
    const now = playback.value;
    const { steps, held } = now;
    // One step is no choice; of a recording there is none.
    el.hidden = steps.length < 2;
    el.toggleAttribute("data-held", held !== null);
    const at = place.value;
    slider.max = String(Math.max(0, steps.length - 1));
    slider.value = String(at);
    text.textContent = playbackText(now, status.value.state);
    slider.setAttribute("aria-valuetext", text.textContent);
    const isCut = !context.isConnected.value;
    previous.disabled = isCut || at <= 0;
    next.disabled = isCut || held === null;
    for (const control of [slider, live, whole]) control.disabled = isCut;
    // It keeps its room, so that the slider does not jump under the pointer.
    live.style.visibility = held === null ? "hidden" : "";
    whole.textContent = `Last whole run: step ${now.whole}`;
    whole.hidden = now.whole === null;
    note.textContent = now.note;
    note.hidden = now.note === "";
    root.toggleAttribute("data-held", held !== null);
  });
}

/** Tells a screen reader which step is held, and when none is any more; not each newest one. */
function announce(said: HTMLElement, { playback }: Context["traits"], signal: AbortSignal): void {
  const held = computed(() => playback.value.held);
  followChanges(
    signal,
    () => held.value,
    () => {
      const step = held.peek();
      setText(said, step === null ? "The newest step is shown" : `Step ${step} is shown and held`);
    },
  );
}

interface Hold {
  hold(step: number | null): void;
  /** The step that is on its way, null where none is. */
  readonly asked: ReadonlySignal<Asked | null>;
}

interface Asked {
  step: number | null;
}

/** Asks for one step at a time: of those that a moving slider passes, the newest follows when the last one is shown. */
function createHold({ kernel }: Context): Hold {
  let isAsking = false;
  const asked = new Signal<Asked | null>(null);
  const ask = async (): Promise<void> => {
    isAsking = true;
    for (let now = asked.peek(); now !== null; now = asked.peek()) {
      await kernel.request({ command: "hold", step: now.step });
      if (asked.peek() === now) asked.value = null;
    }
    isAsking = false;
  };
  return {
    hold(step) {
      asked.value = { step };
      if (!isAsking) void ask();
    },
    asked,
  };
}

interface Actions {
  goBy(steps: number): void;
  goLive(): void;
}

function handleKeys(root: HTMLElement, { goBy, goLive }: Actions, signal: AbortSignal): void {
  root.addEventListener(
    "keydown",
    (event) => {
      const isOnSlider = event.target instanceof HTMLInputElement && event.target.type === "range";
      if ((isTyping(event.target) && !isOnSlider) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "[") goBy(-1);
      else if (event.key === "]") goBy(1);
      else if (event.key === "l") goLive();
      else return;
      event.preventDefault();
    },
    { signal },
  );
}
