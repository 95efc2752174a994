import { expect, onTestFinished, test } from "vitest";
import { openPage } from "../src/page";
import { recording } from "./examples";
import { frame } from "./views";

/** The page as Python writes it, opened. */
async function open(data: string | null): Promise<HTMLElement> {
  const body = document.createElement("body");
  document.documentElement.replaceChild(body, document.body);
  if (data !== null) {
    const script = document.createElement("script");
    script.type = "application/json";
    script.id = "hookviz-recording";
    script.textContent = data;
    body.append(script);
  }
  const end = new AbortController();
  onTestFinished(() => end.abort());
  openPage(body, end.signal);
  await frame();
  return body;
}

const textOf = (body: HTMLElement, selector: string) => body.querySelector(selector)?.textContent ?? "";

test("a page shows what was recorded of the selected node", async () => {
  const body = await open(JSON.stringify(recording));

  expect(textOf(body, ".hv-inspector-header")).toContain("body.0 Conv2d");
  expect(textOf(body, ".hv-tensor")).toContain("1 × 2 × 2 × 2");
  expect(textOf(body, ".hv-values")).toContain("the recording has [:, 0, :, :]");
  expect(textOf(body, ".hv-status")).toContain("a recording: no model runs behind it");
});

test("a page lists the hooks, locked with the reason", async () => {
  const body = await open(JSON.stringify(recording));

  expect(textOf(body, ".hv-hook")).toContain("look");
  const control = body.querySelector(".hv-hook [data-control=switch]");
  expect(control?.getAttribute("aria-disabled")).toBe("true");
  expect(control?.getAttribute("title")).toBe("Locked: this is a recording, without the model");
});

test("a page has no control that only a session could obey", async () => {
  const body = await open(JSON.stringify(recording));

  expect(body.querySelector<HTMLElement>(".hv-capture")?.hidden).toBe(true);
  expect(body.querySelector<HTMLElement>(".hv-menu-box")?.hidden).toBe(true);
  expect([...body.querySelectorAll("button")].find((each) => each.textContent === "Pause")?.hidden).toBe(true);
});

test("a page without a recording stays empty", async () => {
  const body = await open(null);

  expect(body.children).toHaveLength(0);
});
