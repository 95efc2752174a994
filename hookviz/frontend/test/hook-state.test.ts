import { expect, test } from "vitest";
import { hookCount, stateOf } from "../src/hook-state";
import type { HookWire } from "../src/hook-wire";
import { hooks } from "./examples";

const NOTHING_ASKED = new Map<string, boolean>();

function some(...changes: Partial<HookWire>[]): HookWire[] {
  return changes.map((change, i) => ({ ...(hooks[1] as HookWire), id: `forward:${i}:fc`, ...change }));
}

test("hooks that are on and off together are partly on", () => {
  expect(stateOf(some({ enabled: true }, { enabled: true }), NOTHING_ASKED).is).toBe("on");
  expect(stateOf(some({ enabled: true }, { enabled: false }), NOTHING_ASKED).is).toBe("partly");
  expect(stateOf(some({ enabled: false }), NOTHING_ASKED).is).toBe("off");
});

test("a switch that was asked for shows where it goes, and that it is on its way", () => {
  const state = stateOf(some({ enabled: true }), new Map([["forward:0:fc", false]]));

  expect(state).toMatchObject({ is: "off", isPending: true });
});

test("a switch that waits for the end of the run is pending", () => {
  expect(stateOf(some({ pending: true }, {}), NOTHING_ASKED).isPending).toBe(true);
  expect(stateOf(some({}, {}), NOTHING_ASKED).isPending).toBe(false);
});

test("a pill is locked only where none of its hooks can be switched", () => {
  expect(stateOf(some({ protected: "lazy" }), NOTHING_ASKED).isLocked).toBe(true);
  expect(stateOf(some({ protected: "lazy" }, {}), NOTHING_ASKED).isLocked).toBe(false);
});

test("the count tells how many are on", () => {
  expect(hookCount(hooks, NOTHING_ASKED)).toBe("4 on · 1 off");
  expect(hookCount(hooks, new Map([["forward:7:conv1", false]]))).toBe("3 on · 2 off");
});
