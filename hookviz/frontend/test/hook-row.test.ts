import { expect, test } from "vitest";
import { rowHeight } from "../src/hook-row";
import { hooks } from "./examples";

test("a long note has room for two lines, a short one for one", () => {
  const [hook] = hooks;
  if (hook === undefined) throw new Error("There is no example of a hook.");
  const heightWith = (note: string) => rowHeight({ type: "hook", hook: { ...hook, note } });

  const short = heightWith("returned None");
  const long = heightWith("mean +0.00213, largest change 1.4");

  expect(long - short).toBe(16);
});
