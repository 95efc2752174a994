import { expect, test } from "vitest";
import type { SwitchWire } from "../src/wire";
import { inspection, status, switches } from "./examples";
import { frame, type Mounted, mount } from "./views";

const NODE = "module:layer1.conv1";

function set(what: string, how: Partial<SwitchWire>): SwitchWire[] {
  return switches.map((each) => (each.what === what ? { ...each, ...how } : { ...each, enabled: true, off_paths: [] }));
}

async function inspectInput(how: Partial<SwitchWire>, state = status.state): Promise<Mounted> {
  const view = await mount({
    view: "inspector",
    selected: NODE,
    switches: set("inputs", how),
    status: { ...status, state },
  });
  await view.model.answer("inspect", { ...inspection, tab: "input" });
  await frame();
  return view;
}

test("what is off for all modules is switched on where one looks for it", async () => {
  const { model, one, click } = await inspectInput({ enabled: false, off_paths: [] });
  expect(one(".hv-capture-here").textContent).toBe("Capture inputs of all modules from the next run");

  await click(".hv-capture-here > button");

  expect(model.commands("switch").at(-1)).toMatchObject({ what: "inputs", path: null, enabled: true });
  model.set("switches", set("inputs", { enabled: true, off_paths: [] }));
  await frame();
  expect(one(".hv-capture-here").hidden).toBe(true);
});

test("what is off for one module is switched on for this one", async () => {
  const { model, one, click } = await inspectInput({ enabled: true, off_paths: ["layer1.conv1"] });
  expect(one(".hv-capture-here").textContent).toBe("Capture inputs of layer1.conv1 from the next run");

  await click(".hv-capture-here > button");

  expect(model.commands("switch").at(-1)).toMatchObject({ what: "inputs", path: "layer1.conv1", enabled: true });
});

test("of a session that is closed nothing can be asked", async () => {
  const { one } = await inspectInput({ enabled: false }, "closed");

  expect(one(".hv-capture-here").hidden).toBe(true);
});
