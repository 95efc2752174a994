import { expect, test } from "vitest";
import { switches } from "./examples";
import { frame, mount } from "./views";

const EVERYWHERE = '[aria-label="Every module"]';

test("every kind of capture has a switch for all modules", async () => {
  const { el, texts } = await mount({ view: "switches" });

  const rows = [...el.querySelectorAll(`${EVERYWHERE} [role=switch]`)];
  expect(rows.map((row) => row.getAttribute("aria-checked"))).toEqual(["true", "true", "false"]);
  expect(texts(`${EVERYWHERE} .hv-switch-title`)).toEqual(["outputs", "gradients", "inputs"]);
  expect(texts(`${EVERYWHERE} .hv-section`)).toEqual(["Capture2 on · 1 off"]);
});

test("a click on a switch asks Python, and the trait moves it", async () => {
  const { model, one, click } = await mount({ view: "switches" });

  await click(`${EVERYWHERE} [data-what=inputs]`);
  expect(model.commands("switch")[0]).toMatchObject({ what: "inputs", path: null, enabled: true });
  expect(one(`${EVERYWHERE} [data-what=inputs]`).getAttribute("aria-checked")).toBe("false");
  expect(one(`${EVERYWHERE} [data-what=inputs]`).getAttribute("aria-busy")).toBe("true");

  model.set(
    "switches",
    switches.map((each) => ({ ...each, enabled: true })),
  );
  expect(one(`${EVERYWHERE} [data-what=inputs]`).getAttribute("aria-checked")).toBe("true");
});

test("the selected module has its own switches; what is off everywhere cannot be switched on here alone", async () => {
  const { model, one, click } = await mount({ view: "switches", selected: "module:layer1.act" });

  const own = (what: string) => `.hv-rows [data-path="layer1.act"][data-what=${what}]`;
  expect(one(own("outputs")).getAttribute("aria-checked")).toBe("false");
  expect(one(own("gradients")).getAttribute("aria-checked")).toBe("true");
  expect(one(own("inputs")).textContent).toContain("off for every module");

  await click(own("inputs"));
  expect(model.sent).toEqual([]);

  await click(own("gradients"));
  expect(model.commands("switch")[0]).toMatchObject({ what: "gradients", path: "layer1.act", enabled: false });
});

test("what is off somewhere is listed and can be switched on again", async () => {
  const { model, one, click, texts } = await mount({ view: "switches" });

  expect(texts(".hv-capture section:last-of-type .hv-switch-title")).toEqual(["layer1.act · outputs"]);

  await click(".hv-capture section:last-of-type [role=switch]");
  expect(model.commands("switch")[0]).toMatchObject({ what: "outputs", path: "layer1.act", enabled: true });

  model.set(
    "switches",
    switches.map((each) => ({ ...each, off_paths: [] })),
  );
  expect(one(".hv-capture section:last-of-type").hidden).toBe(true);
});

test("a switch keeps the focus when it moves", async () => {
  const { model, one } = await mount({ view: "switches" });
  one(`${EVERYWHERE} [data-what=gradients]`).focus();

  model.set(
    "switches",
    switches.map((each) => ({ ...each, enabled: false })),
  );
  await frame();

  expect(document.activeElement).toBe(one(`${EVERYWHERE} [data-what=gradients]`));
});

test("an operation has no switches of its own", async () => {
  const { el } = await mount({ view: "switches", selected: "op:layer1:add:0" });

  expect(el.querySelectorAll("[data-path]")).toHaveLength(1);
});

test("without a kernel no switch and no Pause looks alive, until it comes back", async () => {
  const { el, one, texts } = await mount({ selected: "module:layer1.act" });
  const pane = one(".hv-switches-pane");
  const switches = () => [...pane.querySelectorAll('[role="switch"], [data-control="switch"]')];
  const dead = () => switches().filter((each) => each.getAttribute("aria-disabled") === "true");
  const alive = switches().length - dead().length;

  el.classList.add("jupyter-widgets-disconnected");
  await frame();
  expect(dead().length).toBe(switches().length);
  expect(one<HTMLButtonElement>('[data-icon="pause"]').disabled).toBe(true);
  expect(texts(".hv-switches-pane .hv-footnote")).toContain("No kernel: nothing can be switched.");

  el.classList.remove("jupyter-widgets-disconnected");
  await frame();
  expect(switches().length - dead().length).toBe(alive);
  expect(alive).toBeGreaterThan(6);
  expect(one<HTMLButtonElement>('[data-icon="pause"]').disabled).toBe(false);
});
