import { expect, test } from "vitest";
import { HookReader } from "../src/hook-states";
import type { HookStatesWire, HookStateWire } from "../src/hook-wire";
import { hooks } from "./examples";

const OFF: HookStateWire = { enabled: false, pending: true, fired: 0, outcome: "", note: "switched off" };
const RAN: HookStateWire = { enabled: true, pending: false, fired: 3, outcome: "changed", note: "0.5 → 1" };
const LISTED = hooks.slice(0, 2);

test("each hook gets its state", () => {
  const states: HookStatesWire = { states: [OFF, RAN], of: [1, 0] };

  const [first, second] = new HookReader().read(LISTED, states);

  expect(first).toEqual({ ...LISTED[0], ...RAN });
  expect(second).toEqual({ ...LISTED[1], ...OFF });
});

test("a hook whose state stays is the same object", () => {
  const reader = new HookReader();
  const before = reader.read(LISTED, { states: [RAN], of: [0, 0] });

  const after = reader.read(LISTED, { states: [OFF, RAN], of: [0, 1] });

  expect(after[0]?.enabled).toBe(false);
  expect(after[1]).toBe(before[1]);
});

test("a recording has the states in its list", () => {
  expect(new HookReader().read(hooks, undefined)).toEqual(hooks);
});

test("a hook whose state has not come is on and has not run", () => {
  const { enabled, pending, fired, outcome, note, ...listed } = { ...OFF, ...hooks[0] };

  const [hook] = new HookReader().read([listed as never], { states: [], of: [] });

  expect([hook?.enabled, hook?.fired, hook?.outcome, hook?.note, hook?.pending]).toEqual([true, 0, "", "", false]);
});
