import { expect, test, vi } from "vitest";
import { countText } from "../src/find";
import { found, graph } from "./examples";
import { frame, type Mounted, mount } from "./views";

const INPUT = ".hv-find-text";

async function type(view: Mounted, text: string): Promise<void> {
  const input = view.one<HTMLInputElement>(INPUT);
  input.focus();
  input.value = text;
  input.dispatchEvent(new Event("input", { bubbles: true }));
  await vi.waitFor(() => expect(view.model.commands("find").at(-1)?.text).toBe(text));
  await view.model.answer("find", found);
  await frame();
}

test("a slash leads to the text from wherever the focus is", async () => {
  const { one, press } = await mount();
  one<SVGElement & HTMLElement>("[data-node][tabindex='0']").focus();

  await press("/");

  expect(document.activeElement).toBe(one(INPUT));
});

test("hits are listed with class and shape, counted, and lit in the picture", async () => {
  const view = await mount();

  await type(view, "conv");

  expect(view.texts("[role=option] b")).toEqual(["layer1.conv1", "head.conv", "conv2d"]);
  expect(view.texts("[role=option] span")).toEqual(["Conv2d", "8×16×32×32", "Conv2d", "8×16", "in layer1", ""]);
  expect(view.texts(".hv-hits-count")).toEqual(["3 hits"]);
  expect(view.one(INPUT).getAttribute("aria-expanded")).toBe("true");
  expect([...view.el.querySelectorAll<SVGElement>(".hv-hit")].map((each) => each.dataset.node)).toContain(
    "module:layer1.conv1",
  );
});

test("Enter selects the hit that the arrows chose, and the next one when pressed again", async () => {
  const shown = {
    ...graph,
    nodes: graph.nodes.map((node, i) => (i === 0 ? { ...node, id: "module:head.conv" } : node)),
  };
  const view = await mount({ graph: shown });
  await type(view, "conv");

  await view.press("ArrowDown");
  expect(view.one("[aria-selected=true] b").textContent).toBe("head.conv");
  expect(view.one(INPUT).getAttribute("aria-activedescendant")).toBe(view.one("li[aria-selected=true]").id);
  await view.press("Enter");

  expect(view.model.traits.selected).toBe("module:head.conv");
  expect(view.one(".hv-hits-popup").hidden).toBe(true);
});

test("a hit that is selected already is scrolled to", async () => {
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(800);
  const view = await mount({ selected: "module:layer1.conv1" });
  await type(view, "conv");
  const scrollBy = vi.spyOn(view.one(".hv-scroller"), "scrollBy").mockImplementation(() => {});
  const away = () => new DOMRect(0, 2000, 190, 70);
  const card = view.one('[data-node="module:layer1.conv1"] > .hv-shape');
  vi.spyOn(card, "getBoundingClientRect").mockImplementation(away);

  await view.press("Enter");

  expect(scrollBy).toHaveBeenCalledOnce();
});

test("a hit that is folded away is unfolded before it is selected, an operation's container too", async () => {
  const view = await mount({ graph: { ...graph, nodes: [], groups: [], edges: [] } });
  await type(view, "conv");
  await view.press("ArrowUp");

  await view.press("Enter");
  expect(view.model.commands("reveal")[0]).toMatchObject({ path: "layer1" });
  await view.model.answer("reveal", {});
  expect(view.model.commands("fold")[0]).toMatchObject({ path: "layer1", expanded: true });
  await view.model.answer("fold", {});

  expect(view.model.traits.selected).toBe("op:layer1:conv2d:0");
});

test("Escape empties the text, puts out the lights and leads back to the diagram", async () => {
  const view = await mount();
  await type(view, "conv");

  await view.press("Escape");

  expect(view.one<HTMLInputElement>(INPUT).value).toBe("");
  expect(view.el.querySelectorAll(".hv-hit").length).toBe(0);
  expect(document.activeElement?.getAttribute("data-node")).not.toBeNull();
});

test("a recording has nothing to find with", async () => {
  const { model, one } = await mount();

  model.set("status", { ...model.traits.status, state: "recorded" });

  expect(one(".hv-find").hidden).toBe(true);
});

test("the count tells what is left out", () => {
  expect([countText(0, 0), countText(1, 1), countText(50, 312)]).toEqual(["Nothing found", "1 hit", "50 of 312 hits"]);
});

test("hits are looked up anew when the structure changes, and a closed list stays closed", async () => {
  const view = await mount();
  await type(view, "conv");
  view.one(INPUT).blur();

  view.model.set("graph", { ...graph, is_traced: false });
  await view.model.answer("find", { total: 1, hits: found.hits.slice(0, 1) });
  await frame();

  expect(view.model.commands("find")).toHaveLength(2);
  expect(view.texts("[role=option] b")).toEqual(["layer1.conv1"]);
  expect(view.one(".hv-hits-popup").hidden).toBe(true);
});

test("without a text nothing is looked up when the structure changes", async () => {
  const view = await mount();

  view.model.set("graph", { ...graph, is_traced: false });

  expect(view.model.commands("find")).toEqual([]);
});
