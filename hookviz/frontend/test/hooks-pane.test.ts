import { expect, test } from "vitest";
import type { HookWire } from "../src/hook-wire";
import { hooks } from "./examples";
import { frame, mount } from "./views";

const row = (id: string) => `[data-hook="${id}"]`;
const RECORD = "forward:7:conv1";
const SCALE = "forward:9:layer1.act";
const SPECTRAL = "forward_pre:3:layer1.conv1";

test("every hook is listed with its place, kind, label and source", async () => {
  const { texts, one } = await mount({ view: "switches" });

  expect(texts(".hv-hooks-heading")).toEqual(["Hooks4 on · 1 off"]);
  expect(texts(".hv-hook-owner")).toEqual(["Yours · notebook", "Written here", "Libraries", "Global · all modules"]);
  expect(one(row(RECORD)).textContent).toContain("conv1forwardrecord · In [3]:7");
  expect(one(row(SCALE)).textContent).toContain("(1.5, 0.5) → (0.75, 0.25)");
});

test("a switch asks Python, is on its way until the answer, and follows the trait", async () => {
  const { model, one, click } = await mount({ view: "switches" });
  const control = () => one(`${row(RECORD)} [role=switch]`);

  await click(`${row(RECORD)} [role=switch]`);
  expect(model.commands("hook_switch")[0]).toMatchObject({ hook_ids: [RECORD], enabled: false });
  expect(control().getAttribute("aria-checked")).toBe("false");
  expect(control().hasAttribute("data-pending")).toBe(true);

  model.set("hooks", changed(RECORD, { enabled: false }));
  await model.answer("hook_switch", { refused: [] });
  expect(control().getAttribute("aria-checked")).toBe("false");
  expect(control().hasAttribute("data-pending")).toBe(false);
});

test("what Python refuses moves back, and says why in its row and in the status line", async () => {
  const { model, one, click } = await mount({ view: "all" });

  await click(`${row(RECORD)} [role=switch]`);
  await model.answer("hook_switch", {
    refused: [{ hook_id: RECORD, reason: "record on conv1 is not there any more." }],
  });

  expect(one(`${row(RECORD)} [role=switch]`).getAttribute("aria-checked")).toBe("true");
  expect(one(`${row(RECORD)} [role=switch]`).title).toBe("record on conv1 is not there any more.");
  expect(one(".hv-message").textContent).toBe("record on conv1 is not there any more.");
});

test("a protected hook has a lock with its reason, and a click on it asks nothing", async () => {
  const { model, one, click } = await mount({ view: "all" });

  await click(`${row(SPECTRAL)} [role=switch]`);

  expect(model.sent).toEqual([]);
  expect(one(`${row(SPECTRAL)} .hv-lock`)).toBeTruthy();
  expect(one(`${row(SPECTRAL)} [role=switch]`).title).toBe("Locked: it computes the weight that the module uses");
  expect(one(row(SPECTRAL)).hasAttribute("data-refused")).toBe(true);
  expect(one(".hv-message").textContent).toBe(
    "SpectralNorm.__call__ stays on: it computes the weight that the module uses.",
  );
});

test("a group's switch turns all that can be turned, and is mixed where they differ", async () => {
  const { model, one, click } = await mount({ view: "switches" });
  const yours = '[role=checkbox][aria-label^="Yours"]';
  expect(one(yours).getAttribute("aria-checked")).toBe("true");

  await click(yours);
  expect(model.commands("hook_switch")[0]).toMatchObject({
    hook_ids: [RECORD, "tensor:4:head.2.weight"],
    enabled: false,
  });
  await model.answer("hook_switch", { refused: [] });

  model.set("hooks", changed(RECORD, { enabled: false }));
  await frame();
  expect(one(yours).getAttribute("aria-checked")).toBe("mixed");
});

test("a group's switch that could not turn all says below its heading why, until that is dismissed", async () => {
  const { one, el, click } = await mount({ view: "switches" });
  const libraries = '[role=checkbox][aria-label^="Libraries"]';

  await click(libraries);
  expect(one(".hv-refusal > span").textContent).toBe(
    "1 of 1 stays as before. SpectralNorm.__call__ stays on: it computes the weight that the module uses.",
  );

  await click('.hv-refusal [aria-label="Dismiss"]');
  expect(el.querySelector(".hv-refusal")).toBeNull();
  expect(document.activeElement).toBe(one(libraries));
});

test("what one hook's own switch could not do is not told of its group", async () => {
  const { el, click } = await mount({ view: "switches" });

  await click(`${row(SPECTRAL)} [role=switch]`);

  expect(el.querySelector(".hv-refusal")).toBeNull();
});

test("only what was written here can be removed", async () => {
  const { model, el, click } = await mount({ view: "switches" });

  expect(el.querySelectorAll(".hv-hook-remove")).toHaveLength(1);
  await click(".hv-hook-remove");

  expect(model.commands("hook_remove")[0]).toMatchObject({ hook_id: SCALE });
});

test("a click on a line selects its module's card", async () => {
  const { model, click } = await mount({ view: "switches" });

  await click(`${row(SPECTRAL)} .hv-hook-words`);

  expect(model.traits.selected).toBe("module:layer1.conv1");
  expect(model.commands("reveal")).toEqual([]);
});

test("a click on a line whose module is folded away unfolds it", async () => {
  const { model, click } = await mount({ view: "switches" });

  await click(`${row("tensor:4:head.2.weight")} .hv-hook-words`);

  expect(model.traits.selected).toBe("module:head.2");
  expect(model.commands("reveal")[0]).toMatchObject({ path: "head.2" });
});

test("a text, a kind and the selected module narrow the list", async () => {
  const { el, one, click, texts } = await mount({ view: "switches", selected: "module:conv1" });
  const shown = () => [...el.querySelectorAll<HTMLElement>(".hv-hook")].map((each) => each.dataset.hook);

  await click(".hv-hook-here");
  expect(shown()).toEqual([RECORD]);
  await click(".hv-hook-here");
  expect(shown()).toHaveLength(5);

  const text = one<HTMLInputElement>("[type=search]");
  text.value = "act";
  text.dispatchEvent(new Event("input"));
  expect(shown()).toEqual([SCALE]);
  text.value = "nowhere";
  text.dispatchEvent(new Event("input"));
  expect(texts(".hv-footnote")).toContain("No hook matches.");
});

test("arrows move along the list, in which Tab stops once", async () => {
  const { el, one, press } = await mount({ view: "switches" });
  expect(el.querySelectorAll(".hv-hook-list [data-control][tabindex='0']")).toHaveLength(1);

  one('[role=checkbox][aria-label^="Yours"]').focus();
  await press("ArrowDown");
  expect(document.activeElement).toBe(one(`${row(RECORD)} [role=switch]`));
  await press("ArrowRight");
  expect(document.activeElement).toBe(one(`${row(RECORD)} .hv-hook-words`));
  await press("End");
  expect(document.activeElement?.closest("[data-key]")?.getAttribute("data-key")).toBe("hook global_forward:1:global");
});

test("a model without hooks says so", async () => {
  const { texts, one } = await mount({ view: "switches", hooks: [] });

  expect(texts(".hv-footnote")[0]).toContain("No hook hangs on this model.");
  expect(one(".hv-hook-search").hidden).toBe(true);
});

test("a row stays while it is pressed, so that the click reaches it", async () => {
  const { model, one } = await mount({ view: "switches" });
  const pressed = one(`${row(RECORD)} [role=switch]`);
  pressed.dispatchEvent(new Event("pointerdown", { bubbles: true }));

  model.set("hooks", changed(RECORD, { note: "returned None again" }));
  expect(pressed.isConnected).toBe(true);

  window.dispatchEvent(new Event("pointerup"));
  await frame();
  expect(one(row(RECORD)).textContent).toContain("returned None again");
});

test("an intervention that did not act is marked, with its reason", async () => {
  const note = "call 3 did not happen: 1 call in this run";
  const { texts, one } = await mount({ view: "switches", hooks: changed(RECORD, { outcome: "did not act", note }) });

  expect(texts(`${row(RECORD)} .hv-outcome`)).toEqual(["did not act"]);
  expect(one(row(RECORD)).textContent).toContain(note);
});

test("hostile names are text", async () => {
  const { el } = await mount({ view: "switches", hooks: changed(RECORD, { label: "<img src=x>", path: "<b>" }) });

  expect(el.querySelector("img, .hv-hook b")).toBeNull();
});

function changed(id: string, change: Partial<HookWire>): HookWire[] {
  return hooks.map((hook) => (hook.id === id ? { ...hook, ...change } : hook));
}
