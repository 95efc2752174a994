import { expect, onTestFinished, test, vi } from "vitest";
import { followConnection, hasKernel, LOOK_MS } from "../src/connection";
import { guardKeys, isForHost } from "../src/keyboard-guard";
import { followTheme, schemeOf } from "../src/theme";
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

test("when a view is told of another scheme, its style sheet has it already", async () => {
  const root = document.createElement("div");
  const end = new AbortController();
  onTestFinished(() => {
    end.abort();
    delete document.body.dataset.jpThemeLight;
  });
  const seen: (string | undefined)[] = [];
  followTheme(root, end.signal).subscribe(() => seen.push(root.dataset.scheme));

  document.body.dataset.jpThemeLight = "false";
  await frame();

  expect(seen).toEqual(["light", "dark"]);
});

test("a view knows when its kernel goes and comes back", async () => {
  const el = document.createElement("div");
  const { isConnected } = followConnection(el, undefined, new AbortController().signal);
  expect(isConnected.value).toBe(true);

  el.classList.add("jupyter-widgets-disconnected");
  await frame();
  expect(isConnected.value).toBe(false);

  el.classList.remove("jupyter-widgets-disconnected");
  await frame();
  expect(isConnected.value).toBe(true);
});

test("a kernel that was shut down is missed, though the view was not told", async () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const manager: { kernel: object | null } = { kernel: {} };
  const { isConnected } = followConnection(document.createElement("div"), manager, new AbortController().signal);

  manager.kernel = null;
  await vi.advanceTimersByTimeAsync(LOOK_MS);

  expect(isConnected.value).toBe(false);
});

test("a view whose comm is closed has no kernel, until the host has opened the comm anew", async () => {
  const el = document.createElement("div");
  const { isConnected, attempt } = followConnection(el, undefined, new AbortController().signal);

  expect(attempt(() => {})).toBe(true);
  expect(isConnected.value).toBe(true);
  const isSent = attempt(() => {
    throw new Error("Cannot send");
  });
  expect(isSent).toBe(false);
  expect(isConnected.value).toBe(false);

  el.classList.add("jupyter-widgets-disconnected");
  await frame();
  el.classList.remove("jupyter-widgets-disconnected");
  await frame();
  expect(isConnected.value).toBe(true);
});

test("a kernel that restarts is gone for the view at once", () => {
  const slots = new Set<(sender: unknown, status: unknown) => void>();
  const statusChanged = {
    connect: (slot: (sender: unknown, status: unknown) => void) => slots.add(slot),
    disconnect: (slot: (sender: unknown, status: unknown) => void) => slots.delete(slot),
  };
  const end = new AbortController();
  const { isConnected } = followConnection(document.createElement("div"), { kernel: { statusChanged } }, end.signal);
  const tell = (status: string) => {
    for (const slot of slots) slot(null, status);
  };

  tell("busy");
  expect(isConnected.value).toBe(true);
  tell("restarting");
  tell("idle");
  expect(isConnected.value).toBe(false);

  end.abort();
  expect(slots.size).toBe(0);
});

test("a host that says nothing of its kernel is taken to have one", () => {
  expect(hasKernel(undefined)).toBe(true);
  expect(hasKernel({})).toBe(true);
  expect(hasKernel({ kernel: { status: "busy" } })).toBe(true);
  expect(hasKernel({ kernel: { status: "dead" } })).toBe(false);
});

interface Seen {
  /** The host looked at the key on its way down and found the focused element free for shortcuts. */
  isFree: boolean;
  /** The key came back up to the host. */
  isBack: boolean;
}

/** Presses a key in a guarded widget; tells what a host that listens at the document saw of it. */
function press(options: KeyboardEventInit, isInside = true): Seen {
  const root = document.body.appendChild(document.createElement("div"));
  const card = root.appendChild(document.createElement("button"));
  const end = new AbortController();
  onTestFinished(() => {
    end.abort();
    root.remove();
  });
  guardKeys(root, end.signal);
  const seen: Seen = { isFree: false, isBack: false };
  const target = isInside ? card : document.body;
  const lookDown = () => {
    seen.isFree = !target.hasAttribute("data-lm-suppress-shortcuts");
  };
  const lookBack = () => {
    seen.isBack = true;
  };
  document.addEventListener("keydown", lookDown, { signal: end.signal, capture: true });
  document.addEventListener("keydown", lookBack, { signal: end.signal });

  target.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, ...options }));
  return seen;
}

test("a plain key stays in the widget: the host would delete the cell at d d", () => {
  expect(press({ key: "d" })).toEqual({ isFree: false, isBack: false });
  expect(press({ key: "ArrowDown" })).toEqual({ isFree: false, isBack: false });
});

test("the host's chords reach it", () => {
  expect(press({ key: "s", ctrlKey: true })).toEqual({ isFree: true, isBack: true });
  expect(press({ key: "Enter", shiftKey: true })).toEqual({ isFree: true, isBack: true });
});

test("a key pressed elsewhere is none of ours", () => {
  expect(press({ key: "d" }, false)).toEqual({ isFree: true, isBack: true });
});

test("a capital letter is no chord", () => {
  expect(isForHost(new KeyboardEvent("keydown", { key: "A", shiftKey: true }))).toBe(false);
  expect(isForHost(new KeyboardEvent("keydown", { key: "s", metaKey: true }))).toBe(true);
});
