import { expect, test } from "vitest";
import type { InterventionName } from "../src/hook-wire";
import { INTERVENTIONS, type Intervention, readArguments } from "../src/interventions";

const named = (name: InterventionName) => INTERVENTIONS.find((each) => each.name === name) as Intervention;

test("numbers are read by the names of their fields", () => {
  expect(readArguments(named("zero"), new Map())).toEqual({ values: {} });
  expect(
    readArguments(
      named("noise"),
      new Map([
        ["std", " 1e-2 "],
        ["seed", "3"],
      ]),
    ),
  ).toEqual({
    values: { std: 0.01, seed: 3 },
  });
});

test("one end of a range is enough, none is not, and it must not be empty", () => {
  const clamp = (low: string, high: string) =>
    readArguments(
      named("clamp"),
      new Map([
        ["low", low],
        ["high", high],
      ]),
    );

  expect(clamp("0", "")).toEqual({ values: { low: 0 } });
  expect(clamp("", "")).toEqual({ problem: "At least one end of the range is needed." });
  expect(clamp("2", "1")).toEqual({ problem: "The range from 2 to 1 is empty." });
});
