import { expect, test } from "vitest";
import { type Life, lifeAndStep, lifeOf, lifeText, memoryText, overheadHint, runsText } from "../src/status-text";
import { playback, status } from "./examples";

test("the runs are told with what capturing cost", () => {
  expect(runsText(status)).toBe("captured 103 of 412 runs · overhead 2.1 % (limit 5 %)");
});

test("with a fixed interval there is no limit to tell", () => {
  expect(runsText({ ...status, runs: 1, captured: 1, overhead_limit: null })).toBe(
    "captured 1 of 1 run · overhead 2.1 %",
  );
});

test("above the limit because of a run that is always captured, it is told that the share falls", () => {
  const first = { ...status, runs: 1, captured: 1, overhead: 1, overhead_seconds: 0.31 };

  expect(runsText(first)).toBe("captured 1 of 1 run · overhead 100 % of the first 0.3 s, settling below 5 %");
  expect(overheadHint(first)).toContain("others are left out until the share is below 5 %");
});

test("where it does not fall, the limit stands beside it, with the reason to be read", () => {
  const short = { ...status, overhead: 0.14, overhead_settles: false };

  expect(runsText(short)).toContain("overhead 14.0 % (limit 5 %)");
  expect(overheadHint(short)).toContain("noticing them takes more than 5 %");
  expect(overheadHint(status)).not.toContain("whatever it costs");
});

test("before the first run there is nothing to tell", () => {
  expect(runsText({ ...status, runs: 0 })).toBe("");
});

test("memory is told against its limit", () => {
  expect(memoryText(status)).toBe("kept 18 MB of 256 MB");
});

test("a kernel that is gone or busy stands before what it said last", () => {
  expect(lifeOf("live", true, false)).toBe("live");
  expect(lifeOf("live", true, true)).toBe("busy");
  expect(lifeOf("live", false, true)).toBe("disconnected");
});

test("which step is shown is told, and of how many runs where it is not the last", () => {
  const words = (life: Life, step: number, runs: number, held: number | null = null) =>
    lifeAndStep(life, { ...status, step, runs }, { ...playback, held }).join("");

  expect(words("live", 13, 13)).toBe("live · step 13");
  expect(words("live", 4, 13)).toBe("live · step 4 of 13 runs shown");
  expect(words("waiting", 0, 0)).toBe("waiting for the first run");
  expect(words("paused", 13, 13)).toBe("paused · step 13");
});

test("a held step is not told as live, nor as the last state", () => {
  const words = (life: Life) => lifeAndStep(life, status, { ...playback, held: 5 }).join("");

  expect(words("live")).toBe("step 5 held");
  expect(words("paused")).toBe("paused · step 5 held");
  expect(words("closed")).toBe("closed · step 5 held");
});

test("a run of a part alone is told as such", () => {
  const words = (held: number | null) => lifeAndStep("live", status, { ...playback, held, part: "head" }).join("");

  expect(words(null)).toBe("live · step 412, of head alone");
  expect(words(5)).toBe("step 5 held, of head alone");
});

test("a busy kernel is explained", () => {
  expect(lifeText("busy")).toBe("waiting for the kernel (the cell is running)");
});
