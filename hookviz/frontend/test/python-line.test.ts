import { expect, test } from "vitest";
import { inspection } from "./examples";
import { frame, mount } from "./views";

const NODE = "module:layer1.conv1";

test("what is not there has no Python, and of what was not kept only the statistics are", async () => {
  const [entry] = inspection.entries;
  const python = 'session["layer1.conv1"].input[0].tensor';
  const shown = { ...inspection, tab: "input" as const };
  const { model, one } = await mount({ view: "inspector", selected: NODE });

  await model.answer("inspect", { ...shown, entries: [{ ...entry, python, kept: false, summary: null }] });
  await frame();
  expect(one(".hv-python").hidden).toBe(true);

  const second = await mount({ view: "inspector", selected: NODE });
  await second.model.answer("inspect", { ...shown, entries: [{ ...entry, python, kept: false }] });
  await frame();
  expect(second.one(".hv-python code").textContent).toBe('session["layer1.conv1"].input[0].summary');
});
