/** What the status line says. */

import { formatBytes, formatCount, formatLimit, formatPercent, formatSeconds } from "./numbers";
import type { PlaybackWire } from "./step-wire";
import type { SessionState, StatusWire } from "./wire";

/** The session's state as the user meets it: a kernel that is busy or gone stands before what it said last. */
export type Life = SessionState | "busy" | "disconnected";

export function lifeOf(state: SessionState, isConnected: boolean, isWaiting: boolean): Life {
  if (!isConnected) return "disconnected";
  return isWaiting ? "busy" : state;
}

export function lifeText(life: Life): string {
  switch (life) {
    case "live":
      return "live";
    case "waiting":
      return "waiting for the first run";
    case "paused":
      return "paused";
    case "closed":
      return "closed: the last state is shown";
    case "gone":
      return "the model is gone: the last state is shown";
    case "recorded":
      return "a recording: no model runs behind it";
    case "error":
      return "something failed in hookviz";
    case "busy":
      return "waiting for the kernel (the cell is running)";
    case "disconnected":
      return "no kernel: the last state is shown";
    default:
      return life satisfies never;
  }
}

/**
 * Life and step: `live · step 12`, `live · step 4 of 13 runs shown` where later runs were not captured, `step 5 held`.
 * A run of a part alone says so: `live · step 12, of head alone`.
 */
export function lifeAndStep(
  life: Life,
  { step, runs }: StatusWire,
  { held, part }: PlaybackWire,
): [life: string, step: string] {
  const of = part === "" ? "" : `, of ${part} alone`;
  if (held !== null) {
    // What is shown is not the last state then.
    if (life === "live") return [`step ${held} held`, of];
    const words = life === "closed" ? "closed" : life === "gone" ? "the model is gone" : lifeText(life);
    return [words, ` · step ${held} held${of}`];
  }
  if (step === 0) return [lifeText(life), ""];
  const shown = step < runs ? `step ${step} of ${formatCount(runs)} runs shown` : `step ${step}`;
  return [lifeText(life), ` · ${shown}${of}`];
}

/** `captured 1 of 4 runs · overhead 2.1 % (limit 5 %)`; empty before the first run. */
export function runsText(status: StatusWire): string {
  const { state, captured, runs } = status;
  if (runs === 0) return "";
  const seen = `captured ${formatCount(captured)} of ${formatCount(runs)} ${runs === 1 ? "run" : "runs"}`;
  if (state === "recorded") return seen;
  return `${seen} · ${overheadText(status)}`;
}

/** `overhead 2.1 % (limit 5 %)`; of the first runs, `overhead 80 % of the first 0.3 s, settling below 5 %`. */
function overheadText(status: StatusWire): string {
  const { overhead, overhead_seconds, overhead_limit } = status;
  const share = `overhead ${formatPercent(overhead)}`;
  if (overhead_limit === null) return share;
  if (!isSettling(status)) return `${share} (limit ${formatLimit(overhead_limit)})`;
  return `${share} of the first ${formatSeconds(overhead_seconds)}, settling below ${formatLimit(overhead_limit)}`;
}

/** What the share is of, and why it is above the limit where it is. */
export function overheadHint(status: StatusWire): string {
  const { overhead, overhead_limit } = status;
  const what =
    "What hookviz took of the last 20 seconds in which the model was at work: captures, live values and pictures.";
  if (overhead_limit === null || overhead <= overhead_limit) return what;
  const always = "The first run, and the first of each cell, is captured whatever it costs";
  const limit = formatLimit(overhead_limit);
  return isSettling(status)
    ? `${what} ${always}; others are left out until the share is below ${limit}.`
    : `${what} ${always}; of very short runs even noticing them takes more than ${limit}. session.close() leaves nothing of it.`;
}

function isSettling({ overhead, overhead_limit, overhead_settles }: StatusWire): boolean {
  return overhead_limit !== null && overhead > overhead_limit && overhead_settles;
}

/** `kept 18 MB of 256 MB`; empty of a recording, which keeps slices only. */
export function memoryText({ state, kept_bytes, keep_bytes }: StatusWire): string {
  if (state === "recorded") return "";
  return `kept ${formatBytes(kept_bytes)} of ${formatBytes(keep_bytes)}`;
}
