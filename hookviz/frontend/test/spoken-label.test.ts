import { expect, onTestFinished, test, vi } from "vitest";
import { nameAloud, SENTENCE_MS } from "../src/spoken-label";

function button(): HTMLButtonElement {
  vi.useFakeTimers();
  const made = document.body.appendChild(document.createElement("button"));
  onTestFinished(() => {
    made.remove();
    vi.useRealTimers();
  });
  return made;
}

test("what has no focus is named at once, however often", () => {
  const made = button();

  for (const name of ["a", "b", "c"]) nameAloud(made, name);

  expect(made.getAttribute("aria-label")).toBe("c");
});

test("what has the focus is named at once the first time, then no more than once per sentence", () => {
  const made = button();
  const names: (string | null)[] = [];
  made.focus();

  for (let tenth = 0; tenth < 100; tenth++) {
    nameAloud(made, `run ${tenth}`);
    names.push(made.getAttribute("aria-label"));
    vi.advanceTimersByTime(100);
  }

  expect([...new Set(names)]).toEqual(["run 0", "run 40", "run 80"]);
});

test("the newest name comes in the end", () => {
  const made = button();
  made.focus();
  nameAloud(made, "run 0");

  nameAloud(made, "run 1");
  nameAloud(made, "run 2");
  vi.advanceTimersByTime(SENTENCE_MS);

  expect(made.getAttribute("aria-label")).toBe("run 2");
});
