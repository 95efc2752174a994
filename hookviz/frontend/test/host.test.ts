import { expect, onTestFinished, test } from "vitest";
import { followConnection } from "../src/connection";
import { guardKeys, isForHost } from "../src/keyboard-guard";
import { schemeOf } from "../src/theme";
import { frame } from "./views";

function pageWith(attributes: Record<string, string>): HTMLElement {
  const page = document.implementation.createHTMLDocument();
  for (const [name, value] of Object.entries(attributes)) page.body.setAttribute(name, value);
  return page.body;
}

test("the host's colour scheme counts before the system's", () => {
  expect(schemeOf(pageWith({ "data-jp-theme-light": "true" }), true)).toBe("light");
  expect(schemeOf(pageWith({ "data-jp-theme-light": "false" }), false)).toBe("dark");
  expect(schemeOf(pageWith({ class: "vscode-dark" }), false)).toBe("dark");
  expect(schemeOf(pageWith({}), true)).toBe("dark");
  expect(schemeOf(pageWith({}), false)).toBe("light");
});

test("a view knows when its kernel goes and comes back", async () => {
  const el = document.createElement("div");
  const isConnected = followConnection(el, new AbortController().signal);
  expect(isConnected.value).toBe(true);

  el.classList.add("jupyter-widgets-disconnected");
  await frame();
  expect(isConnected.value).toBe(false);

  el.classList.remove("jupyter-widgets-disconnected");
  await frame();
  expect(isConnected.value).toBe(true);
});

/** Presses a key in a guarded widget; tells what the host further up saw of it. */
async function press(options: KeyboardEventInit): Promise<{ arrived: boolean; suppressed: boolean }> {
  const root = document.body.appendChild(document.createElement("div"));
  onTestFinished(() => root.remove());
  guardKeys(root, new AbortController().signal);
  const seen = { arrived: false, suppressed: true };
  const end = new AbortController();
  document.addEventListener(
    "keydown",
    () => {
      seen.arrived = true;
      seen.suppressed = root.hasAttribute("data-lm-suppress-shortcuts");
    },
    { signal: end.signal },
  );

  root.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, ...options }));
  end.abort();
  await frame();

  expect(root.hasAttribute("data-lm-suppress-shortcuts")).toBe(true);
  return seen;
}

test("a plain key stays in the widget: the host would delete the cell at d d", async () => {
  expect((await press({ key: "d" })).arrived).toBe(false);
  expect((await press({ key: "ArrowDown" })).arrived).toBe(false);
});

test("the host's chords reach it", async () => {
  expect(await press({ key: "s", ctrlKey: true })).toEqual({ arrived: true, suppressed: false });
  expect(await press({ key: "Enter", shiftKey: true })).toEqual({ arrived: true, suppressed: false });
});

test("a capital letter is no chord", () => {
  expect(isForHost(new KeyboardEvent("keydown", { key: "A", shiftKey: true }))).toBe(false);
  expect(isForHost(new KeyboardEvent("keydown", { key: "s", metaKey: true }))).toBe(true);
});
