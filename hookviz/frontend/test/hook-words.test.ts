import { expect, test } from "vitest";
import type { HookWire } from "../src/hook-wire";
import { didText, hookLines, outcomeText, stageOf, switchNote } from "../src/hook-words";
import { hooks } from "./examples";

const RECORD = hooks[1] as HookWire;

test("every kind has its stage along the call, and what is no part of a run comes last", () => {
  expect(
    ["global_forward_pre", "patched_forward", "forward", "backward_pre", "tensor", "state_dict"].map(stageOf),
  ).toEqual(["before", "forward", "after", "backward", "accumulate", "other"]);
});

test("it is told how often a hook ran, or why it did not", () => {
  expect(didText({ ...RECORD, note: "", fired: 1 })).toBe("ran once in the shown run");
  expect(didText({ ...RECORD, note: "returned None", fired: 1 })).toBe("returned None");
  expect(didText({ ...RECORD, note: "returned None", fired: 1200 })).toBe(
    "returned None · ran 1,200 times in the shown run",
  );
  expect(didText({ ...RECORD, note: "no backward yet", fired: 0 })).toBe("no backward yet");
  expect(didText({ ...RECORD, note: "", fired: 0 })).toBe("");
});

test("a hook that left its value alone on purpose is not said to have looked", () => {
  expect(outcomeText("did not act")).toBe("did not act");
});

test("flags and source stand beside the kind, without a gap where there is no source", () => {
  expect(hookLines(RECORD, "")[0]).toBe("forward (with_kwargs) · In [3]:7");
  expect(hookLines({ ...RECORD, flags: [], source: "" }, "")[0]).toBe("forward");
});

test("of a switch it is told first that it is locked, then that it was refused, then that it waits", () => {
  expect(switchNote({ ...RECORD, protected: "it is lazy" }, "refused", true)).toBe("Locked: it is lazy");
  expect(switchNote(RECORD, "It is gone.", true)).toBe("It is gone.");
  expect(switchNote(RECORD, undefined, true)).toBe("The switch acts when the present run is over.");
  expect(switchNote({ ...RECORD, pending: true }, undefined, false)).toBe(
    "The switch acts when the present run is over.",
  );
  expect(switchNote(RECORD, undefined, false)).toBe("");
});
