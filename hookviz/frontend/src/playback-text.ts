/** What the bar of captured steps says, and where its slider leads. */

import type { PlaybackWire } from "./step-wire";
import type { SessionState } from "./wire";

/**
 * `following the newest: step 480`, `paused at step 480` or `step 120 of 3 … 480, held; newest 480`.
 * Of a run of a part: `following the newest: step 480, of head alone`.
 */
export function playbackText({ steps, held, newest, part }: PlaybackWire, state: SessionState): string {
  const first = steps[0] ?? newest;
  const of = part === "" ? "" : `, of ${part} alone`;
  if (held === null) return `${newestWords(state)} step ${newest}${of}`;
  return `step ${held} of ${first} … ${newest}${of}, held; newest ${newest}`;
}

/** Nothing is followed where no step comes. */
function newestWords(state: SessionState): string {
  if (state === "paused") return "paused at";
  return state === "closed" || state === "gone" || state === "recorded" ? "the last:" : "following the newest:";
}

/** The place of a step among all that there are: null for the newest, the first for one that is gone. */
export function placeOf({ steps }: PlaybackWire, step: number | null): number {
  return step === null ? steps.length - 1 : Math.max(0, steps.indexOf(step));
}

/** The step to hold at a place of the slider; null at its end, which follows the newest. */
export function stepAt({ steps }: PlaybackWire, index: number): number | null {
  return index >= steps.length - 1 ? null : (steps[Math.max(0, index)] ?? null);
}
