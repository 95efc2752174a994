import { expect, test } from "vitest";
import type { HookWire } from "../src/hook-wire";
import { hooks } from "./examples";
import { SVG } from "./picture";
import { frame, type Mounted, mount } from "./views";

const RECORD = "forward:7:conv1";
const PILL = (side: string, encoded: string, text: string) => `
  <g class="hv-pill hv-pill-${side}" data-hooks="${encoded}" data-state="on"><title>${text}</title>
  <rect class="hv-pill-shape" x="10" y="20" width="60" height="15"/><text class="hv-pill-text">● ${text}</text></g>`;

/** The picture with a pill for `record`, one for a hook of another side, and one for two hooks. */
const PILLS = SVG.replace(
  /(data-node="module:conv1".*?)<\/g>/s,
  `$1${PILL("output", "forward_3a_7_3a_conv1", "record it")}${PILL("gradient", "forward_3a_9_3a_layer1_2e_act", "scale")}
   ${PILL("input", "forward_5f_pre_3a_3_3a_layer1_2e_conv1", "SpectralNorm")}
   ${PILL("output", "forward_3a_7_3a_conv1 forward_3a_9_3a_layer1_2e_act", "+2")}</g>`,
);

const pill = (encoded: string) => `[data-hooks="${encoded}"]`;
const RECORD_PILL = pill("forward_3a_7_3a_conv1");
const SCALE_PILL = pill("forward_3a_9_3a_layer1_2e_act");
const LOCKED_PILL = pill("forward_5f_pre_3a_3_3a_layer1_2e_conv1");
const BOTH_PILL = pill("forward_3a_7_3a_conv1 forward_3a_9_3a_layer1_2e_act");

async function diagram(change: Partial<HookWire> = {}): Promise<Mounted> {
  return mount({
    view: "diagram",
    svg: PILLS,
    hooks: hooks.map((hook) => (hook.id === RECORD ? { ...hook, ...change } : hook)),
  });
}

test("a pill tells by its sign and its words what its hook is and whether it is on", async () => {
  const { one } = await diagram();

  expect(one(`${RECORD_PILL} text`).textContent).toBe("● record it");
  expect(one(RECORD_PILL).getAttribute("role")).toBe("switch");
  expect(one(RECORD_PILL).getAttribute("aria-checked")).toBe("true");
  expect(one(RECORD_PILL).getAttribute("aria-label")).toBe("record, forward hook on conv1");
  expect(one(`${SCALE_PILL} text`).textContent).toBe("∇○ scale");
  expect(one(SCALE_PILL).dataset.state).toBe("off");
  expect(one(`${BOTH_PILL} text`).textContent).toBe("●○ +2");
});

test("a click on a pill switches its hook and selects nothing", async () => {
  const { model, one, click } = await diagram();

  await click(`${RECORD_PILL} rect`);

  expect(model.commands("hook_switch")[0]).toMatchObject({ hook_ids: [RECORD], enabled: false });
  expect(model.traits.selected).toBe("");
  expect(one(`${RECORD_PILL} text`).textContent).toBe("○ record it");
  expect(one(RECORD_PILL).hasAttribute("data-pending")).toBe(true);
});

test("a switch that waits for the end of the run is dotted until it acts", async () => {
  const { model, one } = await diagram({ pending: true });
  expect(one(RECORD_PILL).hasAttribute("data-pending")).toBe(true);

  model.set("hooks", hooks);
  await frame();

  expect(one(RECORD_PILL).hasAttribute("data-pending")).toBe(false);
});

test("without a kernel a pill cannot be switched", async () => {
  const { el, one } = await diagram();
  expect(one(RECORD_PILL).getAttribute("aria-disabled")).toBeNull();

  el.classList.add("jupyter-widgets-disconnected");
  await frame();

  expect(one(RECORD_PILL).getAttribute("aria-disabled")).toBe("true");
});

test("a hook that raised is marked", async () => {
  const { one } = await diagram({ outcome: "raised", note: "ValueError: no" });

  expect(one(RECORD_PILL).hasAttribute("data-raised")).toBe(true);
  expect(one(SCALE_PILL).hasAttribute("data-raised")).toBe(false);
});

test("a protected hook has a lock, and a click says why", async () => {
  const { model, one, click } = await diagram();
  expect(one(`${LOCKED_PILL} .hv-pill-lock`)).toBeTruthy();
  expect(one(LOCKED_PILL).getAttribute("aria-disabled")).toBe("true");

  await click(LOCKED_PILL);

  expect(model.sent).toEqual([]);
  expect(one(".hv-hook-hover").textContent).toContain("Locked: it computes the weight that the module uses");
});

test("a pill of several hooks opens the list at its module", async () => {
  const { model, el, click } = await mount({ view: "all", svg: PILLS });

  await click(BOTH_PILL);

  expect(model.sent).toEqual([]);
  expect([...el.querySelectorAll<HTMLElement>(".hv-hook")].map((row) => row.dataset.hook)).toEqual([RECORD]);
});

test("Tab leads from a card to its pills, arrows between them, Space switches, Escape leads back", async () => {
  const { model, one, press } = await diagram();
  const card = one('[data-node="module:conv1"]');

  card.focus();
  expect(one(RECORD_PILL).getAttribute("tabindex")).toBe("0");
  expect(card.getAttribute("role")).toBe("group");
  one(RECORD_PILL).focus();
  await press("ArrowRight");
  expect(document.activeElement).toBe(one(SCALE_PILL));
  await press(" ");
  expect(model.commands("hook_switch")[0]).toMatchObject({ hook_ids: ["forward:9:layer1.act"], enabled: true });
  expect(model.commands("fold")).toEqual([]);
  await press("Escape");
  expect(document.activeElement).toBe(card);
});

test("pills of other cards are not on the way of Tab", async () => {
  const { one } = await diagram();

  one('[data-node="module:head"]').focus();

  expect(one(RECORD_PILL).getAttribute("tabindex")).toBe("-1");
});

test("hover and focus tell label, place, kind, source, what it did and what its kind is", async () => {
  const { one } = await diagram();
  const hover = one(".hv-hook-hover");
  expect(hover.hidden).toBe(true);

  one(`${RECORD_PILL} rect`).dispatchEvent(new Event("pointerover", { bubbles: true }));

  expect(hover.hidden).toBe(false);
  expect([...hover.children].map((line) => line.textContent)).toEqual([
    "record on conv1on",
    "forward (with_kwargs) · In [3]:7",
    "returned None · ran 2 times in the shown run",
    "Gets the module, its arguments and its output after forward(), and may return another output.",
  ]);
  one('[data-node="module:head"]').dispatchEvent(new Event("pointerover", { bubbles: true }));
  expect(hover.hidden).toBe(true);
});

test("the browser's own hover stays away while ours is shown, and comes back", async () => {
  const { el, one } = await diagram();
  const titles = () => el.querySelectorAll('[data-node="module:conv1"] title').length;
  expect(titles()).toBe(5);

  one(`${RECORD_PILL} rect`).dispatchEvent(new Event("pointerover", { bubbles: true }));
  expect(titles()).toBe(3);
  one('[data-node="module:head"]').dispatchEvent(new Event("pointerover", { bubbles: true }));
  expect(titles()).toBe(5);
});

test("hostile names in a hover are text", async () => {
  const { el, one } = await diagram({ label: "<img src=x>", note: "<b>bold</b>" });

  one(`${RECORD_PILL} rect`).dispatchEvent(new Event("pointerover", { bubbles: true }));

  expect(el.querySelector("img")).toBeNull();
  expect(one(".hv-hook-hover").textContent).toContain("<b>bold</b>");
});
