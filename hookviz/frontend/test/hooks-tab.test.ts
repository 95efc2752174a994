import { expect, test } from "vitest";
import { comparisons } from "../src/effect-entry";
import type { EffectEntryWire, HookWire } from "../src/hook-wire";
import { tabHint } from "../src/learner";
import { stageParts } from "../src/time-line";
import { effects, hooks, inspection } from "./examples";
import { frame, type Mounted, mount } from "./views";

const here = (id: string, change: Partial<HookWire>): HookWire => ({
  ...(hooks[1] as HookWire),
  id,
  path: "layer1.act",
  node_ids: ["module:layer1.act"],
  note: "",
  ...change,
});
const HOOKS: HookWire[] = [
  here("forward_pre:1:layer1.act", {
    kind: "forward_pre",
    label: "check",
    side: "input",
    note: "the module was not called",
  }),
  here("forward:8:layer1.act", { label: "look" }),
  here("forward:9:layer1.act", { label: "halve", enabled: false }),
];

async function opened(): Promise<Mounted> {
  const view = await mount({ view: "inspector", selected: "module:layer1.act", hooks: HOOKS });
  await view.model.answer("inspect", { ...inspection, node_id: "module:layer1.act", path: "layer1.act" });
  await view.click('[data-tab="hooks"]');
  await view.model.answer("effects", effects);
  await frame();
  return view;
}

test("the hooks stand along the call, each with what it did", async () => {
  const { model, texts, el } = await opened();

  expect(model.commands("effects").at(-1)).toMatchObject({ node_id: "module:layer1.act", call: 0 });
  expect(texts(".hv-stage-title")).toEqual(["before forward()", "forward()", "after forward()"]);
  expect(texts(".hv-step-label")).toEqual(["check", "look", "halve"]);
  expect(texts(".hv-step .hv-outcome")).toEqual(["observed", "changed it"]);
  expect(el.querySelector(".hv-step")?.textContent).toContain("the module was not called");
});

test("what a hook changed is shown before and after it, with the difference", async () => {
  const { one, texts } = await opened();

  const halved = one('[data-hook="forward:9:layer1.act"]').textContent;
  expect(halved).toContain("replaced the output");
  expect(halved).toContain("mean changed by −0.5, largest change 0.75");
  expect(texts(".hv-comparison tbody tr:first-child > *")).toEqual(["values", "(1.5, 0.5)", "(0.75, 0.25)"]);
  expect(one('[data-hook="forward:8:layer1.act"]').textContent).toContain("unchanged");
});

test("a hook is switched where it is looked at", async () => {
  const { model, click } = await opened();

  await click('.hv-step[data-hook="forward:9:layer1.act"] [role=switch]');

  expect(model.commands("hook_switch")[0]).toMatchObject({ hook_ids: ["forward:9:layer1.act"], enabled: true });
});

test("the tab of hooks stays chosen from module to module, and is not there for an operation", async () => {
  const { model, el, one } = await opened();

  model.set("selected", "module:conv1");
  await frame();
  expect(model.commands("effects").at(-1)).toMatchObject({ node_id: "module:conv1" });

  model.set("selected", "op:layer1:add:0");
  await frame();
  await model.answer("inspect", { ...inspection, node_id: "op:layer1:add:0" });
  expect(el.querySelector('[data-tab="hooks"]')).toBeNull();
  expect(one(".hv-hooks-tab").hidden).toBe(true);
});

test("a new run brings new effects", async () => {
  const { model } = await opened();
  const asked = model.commands("effects").length;

  model.set("hooks", [...HOOKS]);
  await new Promise((resolve) => setTimeout(resolve, 600));

  expect(model.commands("effects")).toHaveLength(asked + 1);
});

test("each gradient says which of the two it is", async () => {
  const { one } = await opened();

  expect(tabHint("grad_output")).toMatch(/^Arrives from the loss: ∂loss\/∂output/);
  expect(tabHint("grad_input")).toMatch(/^Leaves towards the layers before: ∂loss\/∂input/);
  expect(one('[data-side="grad_output"]').title).toBe(tabHint("grad_output"));
});

test("stages without hooks are left out, but forward() itself is not", () => {
  expect(stageParts([here("a", { kind: "post_accumulate_grad" })]).map(({ stage }) => stage)).toEqual([
    "forward",
    "accumulate",
  ]);
});

test("the comparison tells a changed shape, and NaN where there is any", () => {
  const [entry] = effects.effects[1]?.entries ?? [];
  const after = entry?.after ?? null;
  const changed = { ...entry, after: after && { ...after, shape: [4], nans: 2 } } as EffectEntryWire;

  expect(comparisons(changed).map(({ name, after: text }) => [name, text])).toEqual([
    ["values", "(0.75, 0.25)"],
    ["shape", "4"],
    ["mean", "0.500"],
    ["std", "0.500"],
    ["min", "0.250"],
    ["max", "0.750"],
    ["‖·‖₂", "1.58"],
    ["NaN · Inf", "2 · 0"],
  ]);
});

test("an intervention is described by a form and sent as a command", async () => {
  const { model, one, click } = await opened();
  await click(".hv-intervene-open");
  expect(one(".hv-intervene-open").textContent).toBe("+ Intervene on layer1.act");

  choose(one("form select"), "clamp");
  type(one("[name=low]"), "-0.5");
  type(one("[name=high]"), "");
  type(one('input[placeholder="[:, 0]"]'), " [:, 0] ");
  await submit(one<HTMLFormElement>("form"));

  expect(model.commands("intervene")[0]).toMatchObject({
    node_id: "module:layer1.act",
    intervention: "clamp",
    target: "output",
    arguments: { low: -0.5 },
    at: "[:, 0]",
  });
  await model.answer("intervene", { hook_id: "forward:10:layer1.act" });
  expect(one("form").hidden).toBe(true);
});

test("an earlier run is chosen from those that kept a value", async () => {
  const { model, one, click } = await opened();
  await click(".hv-intervene-open");

  choose(one("form select"), "replace");
  choose(one("[name=run]"), "run 11");
  await submit(one<HTMLFormElement>("form"));

  expect(model.commands("intervene")[0]).toMatchObject({ intervention: "replace", arguments: { run: "run 11" } });
});

test("what is no number is told before anything is asked", async () => {
  const { model, one, click } = await opened();
  await click(".hv-intervene-open");

  choose(one("form select"), "scale");
  type(one("[name=factor]"), "half");
  await submit(one<HTMLFormElement>("form"));

  expect(model.commands("intervene")).toEqual([]);
  expect(one(".hv-form-problem").textContent).toBe("“by” needs a number, such as 0.5.");
});

test("what Python cannot carry out is told in the form, which stays open", async () => {
  const { model, one, click } = await opened();
  await click(".hv-intervene-open");
  await submit(one<HTMLFormElement>("form"));

  model.fire(
    "msg:custom",
    { id: model.commands("intervene")[0]?.id, error: "[:, 20] is beyond the last channel." },
    [],
  );
  await frame();

  expect(one(".hv-form-problem").textContent).toBe("[:, 20] is beyond the last channel.");
  expect(one("form").hidden).toBe(false);
});

function choose(select: HTMLElement, value: string): void {
  (select as HTMLSelectElement).value = value;
  select.dispatchEvent(new Event("change", { bubbles: true }));
}

function type(input: HTMLElement, value: string): void {
  (input as HTMLInputElement).value = value;
}

async function submit(form: HTMLFormElement): Promise<void> {
  form.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
  await frame();
}
