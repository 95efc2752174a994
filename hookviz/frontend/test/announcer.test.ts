import { Signal } from "@preact/signals-core";
import { expect, onTestFinished, test, vi } from "vitest";
import { mountAnnouncer } from "../src/announcer";
import type { Context } from "../src/context";
import { SENTENCE_MS } from "../src/spoken-label";
import type { StatusWire } from "../src/wire";
import { status } from "./examples";

const trouble = (text: string): StatusWire => ({
  ...status,
  trouble: { node_id: "module:head", path: "head", text, is_fault: true },
});

test("trouble is told politely, and no more than once per sentence", () => {
  vi.useFakeTimers();
  const end = new AbortController();
  onTestFinished(() => {
    end.abort();
    vi.useRealTimers();
  });
  const el = document.createElement("div");
  const now = new Signal<StatusWire>({ ...status, trouble: null });
  mountAnnouncer(el, { traits: { status: now } } as unknown as Context, end.signal);
  const line = el.querySelector("[role=status]");
  vi.advanceTimersByTime(SENTENCE_MS);
  expect(line?.textContent).toBe("");

  now.value = trouble("NaN in step 1");
  vi.advanceTimersByTime(1);
  expect(line?.textContent).toBe("head: NaN in step 1");

  now.value = trouble("NaN in step 2");
  now.value = trouble("NaN in step 3");
  vi.advanceTimersByTime(SENTENCE_MS - 10);
  expect(line?.textContent).toBe("head: NaN in step 1");
  vi.advanceTimersByTime(10);
  expect(line?.textContent).toBe("head: NaN in step 3");
});
