import { signal } from "@preact/signals-core";
import { expect, test } from "vitest";
import { createHookBoard } from "../src/hook-board";
import { noteColumns, rowHeight } from "../src/hook-row";
import type { Kernel } from "../src/kernel";
import { hooks } from "./examples";

test("a note that is long for the pane has room for two lines, another for one", () => {
  const [hook] = hooks;
  if (hook === undefined) throw new Error("There is no example of a hook.");
  const board = createHookBoard(signal([hook]), signal(0), {} as Kernel, signal(true), new AbortController().signal);
  const heightWith = (note: string, paneWidth = 287) =>
    rowHeight({ type: "hook", hook: { ...hook, note } }, board, noteColumns(paneWidth));

  const short = heightWith("returned None");
  const long = heightWith("mean changed by +0.00213, largest change 1.4");

  expect(long - short).toBe(16);
  expect(heightWith("mean changed by +0.00213, largest change 1.4", 400)).toBe(short);
});
