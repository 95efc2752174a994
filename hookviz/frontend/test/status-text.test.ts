import { expect, test } from "vitest";
import { type Life, lifeAndStep, lifeOf, lifeText, memoryText, runsText } from "../src/status-text";
import { status } from "./examples";

test("the runs are told with what capturing cost", () => {
  expect(runsText(status)).toBe("captured 103 of 412 runs · overhead 2.1 % (limit 5 %)");
});

test("with a fixed interval there is no limit to tell", () => {
  expect(runsText({ ...status, runs: 1, captured: 1, overhead_limit: null })).toBe(
    "captured 1 of 1 run · overhead 2.1 %",
  );
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
    lifeAndStep(life, { ...status, step, runs }, held).join("");

  expect(words("live", 13, 13)).toBe("live · step 13");
  expect(words("live", 4, 13)).toBe("live · step 4 of 13 runs shown");
  expect(words("waiting", 0, 0)).toBe("waiting for the first run");
  expect(words("paused", 13, 13)).toBe("paused · step 13");
});

test("a held step is not told as live, nor as the last state", () => {
  const words = (life: Life) => lifeAndStep(life, status, 5).join("");

  expect(words("live")).toBe("step 5 held");
  expect(words("paused")).toBe("paused · step 5 held");
  expect(words("closed")).toBe("closed · step 5 held");
});

test("a busy kernel is explained", () => {
  expect(lifeText("busy")).toBe("waiting for the kernel (the cell is running)");
});
