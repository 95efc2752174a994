import { expect, test } from "vitest";
import { mount } from "./views";

const card = '[data-node="module:conv1"]';

test("a question mark opens the help from a card, and the focus comes back to it", async () => {
  const { one, press, click } = await mount();
  one(card).focus();

  await press("?");
  expect(one<HTMLDialogElement>("dialog").open).toBe(true);
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Close the help");

  await click('[aria-label="Close the help"]');
  expect(one<HTMLDialogElement>("dialog").open).toBe(false);
  expect(document.activeElement).toBe(one(card));
});

test("the help tells the keys by place, and the signs", async () => {
  const { one, texts, click } = await mount();

  await click(".hv-help-button");

  expect(texts(".hv-help h2")).toEqual(["Keys and signs"]);
  expect(texts(".hv-help h3")).toEqual([
    "Everywhere",
    "In the diagram",
    "On a hook of a card",
    "With the mouse",
    "In the list of hooks",
    "In the inspector",
    "Signs on a card",
  ]);
  expect(one(".hv-help").textContent).toContain("Spacefold, unfold");
  expect(one(".hv-help").textContent).toContain("±5.70e-01its standard deviation");
});

test("a question mark that is typed into a text opens nothing", async () => {
  const { one, press } = await mount();
  one(".hv-find-text").focus();

  await press("?");

  expect(one<HTMLDialogElement>("dialog").open).toBe(false);
});

test("keys in the help do nothing behind it", async () => {
  const { one, press } = await mount();
  one(card).focus();
  await press("?");

  await press("/");

  expect(document.activeElement).not.toBe(one(".hv-find-text"));
});

test("letters lead from pane to pane", async () => {
  const { model, one, press } = await mount();
  one(card).focus();

  await press("h");
  expect(document.activeElement).toBe(one(".hv-switches-pane"));

  await press("d");
  expect(document.activeElement).toBe(one(card));

  await press("i");
  expect(model.traits.selected).toBe("module:conv1");
  expect(document.activeElement).toBe(one(".hv-inspector-pane"));
  expect(one(".hv-inspector-pane").hidden).toBe(false);
});
