/** What the status line says. */

import { formatBytes, formatCount, formatLimit, formatPercent } from "./numbers";
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

/** Life and step: `live · step 12`, `live · step 4 of 13 runs shown` where later runs were not captured, `step 5 held`. */
export function lifeAndStep(life: Life, { step, runs }: StatusWire, held: number | null): [life: string, step: string] {
  if (held !== null) {
    // What is shown is not the last state then.
    if (life === "live") return [`step ${held} held`, ""];
    const words = life === "closed" ? "closed" : life === "gone" ? "the model is gone" : lifeText(life);
    return [words, ` · step ${held} held`];
  }
  if (step === 0) return [lifeText(life), ""];
  return [lifeText(life), step < runs ? ` · step ${step} of ${formatCount(runs)} runs shown` : ` · step ${step}`];
}

/** `captured 1 of 4 runs · overhead 2.1 % (limit 5 %)`; empty before the first run. */
export function runsText({ state, captured, runs, overhead, overhead_limit }: StatusWire): string {
  if (runs === 0) return "";
  const seen = `captured ${formatCount(captured)} of ${formatCount(runs)} ${runs === 1 ? "run" : "runs"}`;
  if (state === "recorded") return seen;
  const limit = overhead_limit === null ? "" : ` (limit ${formatLimit(overhead_limit)})`;
  const share = `overhead ${formatPercent(overhead)}${limit}`;
  return `${seen} · ${share}`;
}

/** `kept 18 MB of 256 MB`; empty of a recording, which keeps slices only. */
export function memoryText({ state, kept_bytes, keep_bytes }: StatusWire): string {
  if (state === "recorded") return "";
  return `kept ${formatBytes(kept_bytes)} of ${formatBytes(keep_bytes)}`;
}
