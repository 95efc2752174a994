import { expect, test } from "vitest";
import { lifeOf, lifeText, memoryText, runsText } from "../src/status-text";
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

test("a busy kernel is explained", () => {
  expect(lifeText("busy")).toBe("waiting for the kernel (the cell is running)");
});
