import { expect, test } from "vitest";
import { isOn, offPlaces, onCount } from "../src/switch-state";
import type { SwitchWire } from "../src/wire";

const OUTPUTS: SwitchWire = { what: "outputs", enabled: true, off_paths: ["a", "b.c"], note: "" };
const INPUTS: SwitchWire = { what: "inputs", enabled: false, off_paths: ["a"], note: "" };

test("a module is on where the kind is on and the module not excepted", () => {
  expect(isOn(OUTPUTS, "b")).toBe(true);
  expect(isOn(OUTPUTS, "b.c")).toBe(false);
  expect(isOn(INPUTS, "b")).toBe(false);
});

test("exceptions of a kind that is off altogether are not listed", () => {
  expect(offPlaces([OUTPUTS, INPUTS])).toEqual([
    { path: "a", what: "outputs" },
    { path: "b.c", what: "outputs" },
  ]);
});

test("the switches are counted", () => {
  expect(onCount([OUTPUTS, INPUTS])).toBe("1 on · 1 off");
});
