import { expect, test, vi } from "vitest";
import { graph, nodeData } from "./examples";
import { FakeModel } from "./fake-model";
import { SVG } from "./picture";
import { frame, mount } from "./views";

const CONV1 = '[data-node="module:conv1"]';
const HEAD = '[data-node="module:head"]';

function focused(): string | undefined {
  return (document.activeElement as SVGElement | null)?.dataset.node;
}

test("the picture opens with the values of the last run", async () => {
  const { one } = await mount({ view: "diagram" });

  expect(one(`${CONV1} .hv-value`).textContent).toBe("+1.20e-02\u00a0±5.70e-01");
});

test("new values change the texts and nothing else", async () => {
  const { model, one } = await mount({ view: "diagram" });
  const card = one(CONV1);

  model.set("node_data", { ...nodeData, "module:conv1": { ...nodeData["module:head"], value: "+9" } as never });
  await frame();

  expect(one(CONV1)).toBe(card);
  expect(one(`${CONV1} .hv-value`).textContent).toBe("+9");
});

test("of several updates before a frame only the newest is drawn", async () => {
  const { model, one } = await mount({ view: "diagram" });
  const value = one(`${CONV1} .hv-value`);
  const drawn: string[] = [];
  new MutationObserver(() => drawn.push(value.textContent ?? "")).observe(value, { childList: true });

  for (const text of ["+1", "+2", "+3"]) {
    model.set("node_data", { "module:conv1": { ...nodeData["module:conv1"], value: text } as never });
  }
  await frame();

  expect(drawn).toEqual(["+3"]);
});

test("a card whose lines stay is left alone", async () => {
  const size = 34 * (graph.nodes.length + graph.groups.length);
  const { model, one } = await mount({ view: "diagram", node_data: {}, numbers: new DataView(new ArrayBuffer(size)) });
  await frame();
  const touched = new Set<string | undefined>();
  const observer = new MutationObserver((changes) => {
    for (const { target } of changes) touched.add((target as Element).closest<SVGElement>("[data-node]")?.dataset.node);
  });
  observer.observe(one(".hv-scroller"), { subtree: true, childList: true, attributes: true, characterData: true });
  const numbers = new DataView(new ArrayBuffer(size));
  const place = graph.nodes.findIndex(({ id }) => id === "module:conv1");

  numbers.setUint8(34 * place + 1, 1);
  model.set("numbers", numbers);
  await frame();

  expect(one(`${CONV1} .hv-value`).textContent?.trim()).toBe("+0.00e+00");
  expect([...touched]).toEqual(["module:conv1"]);
});

test("a click selects, in every view of the model", async () => {
  const model = new FakeModel();
  const first = await mount({ view: "diagram" }, model);
  const second = await mount({ view: "diagram" }, model);

  await first.click(`${CONV1} > .hv-shape`);

  expect(model.get("selected")).toBe("module:conv1");
  for (const { one } of [first, second]) {
    expect(one(CONV1).classList).toContain("hv-selected");
    expect(one(CONV1).getAttribute("aria-current")).toBe("true");
  }
});

test("a selected module that is folded away marks the container that holds it", async () => {
  const { el } = await mount({ view: "diagram", selected: "module:head.2.conv" });

  expect([...el.querySelectorAll<SVGElement>(".hv-holds-selected")].map((card) => card.dataset.node)).toEqual([
    "module:head",
  ]);
  expect(el.querySelector(".hv-selected")).toBeNull();
});

test("the edges of the selected node are marked", async () => {
  const { el, click } = await mount({ view: "diagram" });

  await click(`${CONV1} > .hv-shape`);

  expect([...el.querySelectorAll<SVGElement>(".hv-near")].map((edge) => edge.dataset.source)).toEqual([
    "input:x",
    "module:conv1",
  ]);
});

test("a double click unfolds a container, a click on its mark too", async () => {
  const { model, one, click } = await mount({ view: "diagram" });

  one(`${HEAD} > .hv-shape`).dispatchEvent(new MouseEvent("dblclick", { bubbles: true }));
  await click(`${HEAD} .hv-fold-target`);

  expect(model.commands("fold").map(({ path, expanded }) => [path, expanded])).toEqual([
    ["head", true],
    ["head", true],
  ]);
});

test("the mark of an unfolded container folds it", async () => {
  const { model, click } = await mount({ view: "diagram" });

  await click('[data-node="module:layer1"] .hv-fold');

  expect(model.commands("fold")[0]).toMatchObject({ path: "layer1", expanded: false });
  expect(model.get("selected")).toBe("");
});

test("a double click on what has no inside asks for nothing", async () => {
  const { model, one } = await mount({ view: "diagram" });

  one(`${CONV1} > .hv-shape`).dispatchEvent(new MouseEvent("dblclick", { bubbles: true }));

  expect(model.commands("fold")).toEqual([]);
});

test("Tab leads to one card, Enter selects it, Space folds it", async () => {
  const { model, el, one, press } = await mount({ view: "diagram" });

  const stops = [...el.querySelectorAll<SVGElement>('[data-node][tabindex="0"]')];
  expect(stops.map((stop) => stop.dataset.node)).toEqual(["input:x"]);

  one(HEAD).focus();
  await press("Enter");
  await press(" ");

  expect(model.get("selected")).toBe("module:head");
  expect(model.commands("fold")[0]).toMatchObject({ path: "head", expanded: true });
  expect(one(HEAD).getAttribute("tabindex")).toBe("0");
});

test("a card keeps the focus when the picture is laid out anew", async () => {
  const { model, one } = await mount({ view: "diagram" });
  one(HEAD).focus();

  model.set("svg", SVG.replace('viewBox="0 0 300 400"', 'viewBox="0 0 500 400"'));
  await frame();

  expect(focused()).toBe("module:head");
});

test("keys zoom, and the buttons say how far", async () => {
  const { one, press } = await mount({ view: "diagram" });
  one(CONV1).focus();

  await press("+");
  expect(one(".hv-zoom-level").textContent).toBe("125 %");
  expect(one(".hv-stage > svg").getAttribute("width")).toBe("375");

  await press("-");
  await press("-");
  expect(one(".hv-zoom-level").textContent).toBe("80 %");

  await press("0");
  expect(one(".hv-zoom-level").textContent).toBe("100 %");
});

test("a fitted picture is fitted anew when another takes its place, until it is moved", async () => {
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(336);
  const { model, one, click } = await mount({ view: "diagram" });
  const zoom = () => one(".hv-zoom-level").textContent;
  const height = (px: number) => model.set("svg", SVG.replace('viewBox="0 0 300 400"', `viewBox="0 0 300 ${px}"`));

  await click('[title^="Show as much"]');
  expect(zoom()).toBe("76 %");
  height(2000);
  expect(zoom()).toBe("55 %");
  height(200);
  expect(zoom()).toBe("100 %");

  await click('[aria-label="Zoom out"]');
  height(2000);
  expect(zoom()).toBe("80 %");
});

test("after a layout the picture is in sight, also where it lay far off before", async () => {
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(336);
  const { model, one, press } = await mount({ view: "diagram" });
  one(CONV1).focus();
  await press("0");
  for (const card of one(".hv-stage").querySelectorAll(".hv-shape, .hv-fold-target")) {
    vi.spyOn(card, "getBoundingClientRect").mockReturnValue(new DOMRect(0, -900, 190, 70));
  }
  const scrollTo = vi.spyOn(one(".hv-scroller"), "scrollTo").mockImplementation(() => {});

  model.set("svg", SVG.replace('viewBox="0 0 300 400"', 'viewBox="0 0 300 173"'));

  expect(scrollTo.mock.calls.at(-1)).toEqual([0, 0]);
  const { left, top } = one(".hv-stage > svg").style;
  expect([left, top]).toEqual(["250px", "16px"]);
});

test("what is selected already is scrolled to again when one is led to it", async () => {
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(336);
  const { model, one, click } = await mount({ selected: "module:head" });
  const scrollBy = vi.spyOn(one(".hv-scroller"), "scrollBy").mockImplementation(() => {});
  const away = () => new DOMRect(0, 2000, 190, 70);
  vi.spyOn(one(`${HEAD} > .hv-shape`), "getBoundingClientRect").mockImplementation(away);

  await click(".hv-status .hv-trouble");

  expect(model.get("selected")).toBe("module:head");
  expect(scrollBy.mock.calls).toEqual([[0, 1746]]);
});

test.each([
  ["TB", ["input:x", "module:layer1.conv1"]],
  ["LR", ["module:conv1", "module:head"]],
] as const)("Home and End lead to the ends of the way that data flows: %s", async (direction, ends) => {
  const { one, press } = await mount({ view: "diagram", graph: { ...graph, direction } });
  const places = {
    "input:x": [50, 0],
    "module:conv1": [0, 100],
    "module:layer1.conv1": [50, 300],
    "module:head": [200, 200],
  };
  for (const [id, [x, y]] of Object.entries(places)) {
    vi.spyOn(one(`[data-node="${id}"] > .hv-shape`), "getBoundingClientRect").mockReturnValue(
      new DOMRect(x, y, 40, 40),
    );
  }
  one(CONV1).focus();

  await press("Home");
  const first = focused();
  await press("End");

  expect([first, focused()]).toEqual(ends);
});

test("left of the leftmost card lies the container around it", async () => {
  const { one, press } = await mount({ view: "diagram" });
  one('[data-node="module:layer1.conv1"]').focus();

  await press("ArrowLeft");

  expect(focused()).toBe("module:layer1");
});

test("before a run it is said that only the structure is known", async () => {
  const { one } = await mount({ view: "diagram", graph: { ...graph, is_traced: false } });

  expect(one(".hv-hint").textContent).toContain("Only the structure is known.");
});

test("where nothing could be drawn the reason stands in its place", async () => {
  const { model, one } = await mount({ view: "diagram", svg: "" });
  model.set("status", { ...model.get("status"), message: "No engine could lay out the diagram." });

  expect(one(".hv-hint").textContent).toBe("No engine could lay out the diagram.");
  expect(one(".hv-stage").childElementCount).toBe(0);
});
