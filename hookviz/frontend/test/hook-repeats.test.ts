import { expect, test } from "vitest";
import { repeatedHooks } from "../src/hook-repeats";
import type { HookWire } from "../src/hook-wire";
import { hooks } from "./examples";
import { mount } from "./views";

const RECORD = hooks[1] as HookWire;

test("a function that hangs again from another run of its cell is a repetition", () => {
  const again = { ...RECORD, id: "forward:8:conv1", source: "In [12]:7" };

  expect([...repeatedHooks([RECORD, again])]).toEqual([
    ["forward:7:conv1", 2],
    ["forward:8:conv1", 2],
  ]);
});

test("another line, place or owner is none", () => {
  const others = [
    { ...RECORD, id: "a", source: "In [3]:8" },
    { ...RECORD, id: "b", path: "conv2" },
    { ...RECORD, id: "c", owner: "other" as const },
  ];

  expect([...repeatedHooks([RECORD, ...others])]).toEqual([]);
});

test("the list marks repetitions, and says what they mostly come from", async () => {
  const again = { ...RECORD, id: "forward:8:conv1", source: "In [12]:7" };
  const { texts, one } = await mount({ view: "switches", hooks: [RECORD, again] });

  expect(texts(".hv-again")).toEqual(["×2", "×2"]);
  expect(one(".hv-again").title).toContain("Was its cell run again");
});
