import { expect, test, vi } from "vitest";
import { exported, graph, status } from "./examples";
import { FakeModel } from "./fake-model";
import { frame, mount } from "./views";

test("the toolbar names the model and says how deep it is unfolded", async () => {
  const { one, texts } = await mount();

  expect(one(".hv-toolbar .hv-title").textContent).toBe("ResNetTiny");
  expect(one(".hv-facts").textContent).toBe("20.0k params · train");
  expect(texts(".hv-segments > span")).toEqual(["depth 1"]);
});

test("the depth goes down to zero and up to what the model has", async () => {
  const { model, one, click } = await mount({ graph: { ...graph, depth: 1, max_depth: 2 } });

  await click('[aria-label="Unfold one level more"]');
  expect(model.commands("depth")[0]).toMatchObject({ depth: 2 });

  model.set("graph", { ...graph, depth: 2, max_depth: 2 });
  expect(one('[aria-label="Unfold one level more"]').hasAttribute("disabled")).toBe(true);

  model.set("graph", { ...graph, depth: 0, max_depth: 2 });
  expect(one('[aria-label="Unfold one level less"]').hasAttribute("disabled")).toBe(true);
});

test("a depth below what there is stands as it was asked for, and one less is one level less", async () => {
  const { model, texts, click } = await mount({ graph: { ...graph, depth: 3, max_depth: 2 } });

  expect(texts(".hv-segments > span")).toEqual(["depth 3"]);
  await click('[aria-label="Unfold one level less"]');

  expect(model.commands("depth")[0]).toMatchObject({ depth: 1 });
});

test("a live session can be paused, a paused one resumed, a closed one neither", async () => {
  const { model, one, click } = await mount();
  const pause = '[data-icon="pause"]';

  await click(pause);
  expect(model.commands("pause")[0]).toMatchObject({ paused: true });

  model.set("status", { ...status, state: "paused" });
  expect(one('[data-icon="play"]').textContent).toBe("Resume");
  await click('[data-icon="play"]');
  expect(model.commands("pause")[1]).toMatchObject({ paused: false });

  model.set("status", { ...status, state: "closed" });
  expect(one(pause).hasAttribute("disabled")).toBe(true);
});

test("an export is saved under the name that Python gives", async () => {
  const { model, one, click } = await mount();
  const saved: Blob[] = [];
  const names: string[] = [];
  Object.assign(URL, { createObjectURL: (blob: Blob) => `blob:${saved.push(blob)}`, revokeObjectURL() {} });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });

  await click('[data-icon="menu"]');
  expect(one('[role="menu"]').hidden).toBe(false);
  await click('[data-format="svg"]');
  expect(model.commands("export")[0]).toMatchObject({ format: "svg" });
  expect(one('[role="menu"]').hidden).toBe(true);

  await model.answer("export", exported, [new DataView(new TextEncoder().encode("<svg/>").buffer)]);
  expect(names).toEqual(["ResNetTiny.svg"]);
  expect([saved[0]?.type, saved[0]?.size]).toEqual(["image/svg+xml", 6]);
});

test("a PNG is drawn by the browser, or by Python where this one cannot", async () => {
  Object.assign(URL, { createObjectURL: () => "blob:1", revokeObjectURL() {} });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
  const { model, click } = await mount();

  await click('[data-icon="menu"]');
  await click('[data-format="png"]');
  expect(model.commands("export").map(({ format }) => format)).toEqual(["svg"]);

  await model.answer("export", exported, [new DataView(new TextEncoder().encode("<svg/>").buffer)]);
  await vi.waitFor(() => expect(model.commands("export").map(({ format }) => format)).toEqual(["svg", "png"]));
});

test("the export menu opens with the arrow key and closes with Escape", async () => {
  const { one, press } = await mount();
  one('[data-icon="menu"]').focus();

  await press("ArrowDown");
  await press("ArrowDown");
  expect(document.activeElement?.textContent).toContain("PNG");

  await press("Escape");
  expect(one('[role="menu"]').hidden).toBe(true);
  expect(document.activeElement).toBe(one('[data-icon="menu"]'));
});

test("the status line tells life, runs, memory and the message", async () => {
  const { model, one } = await mount();
  expect(one(".hv-status").textContent).toBe(
    "live · step 412captured 103 of 412 runs · overhead 2.1 % (limit 5 %)kept 18 MB of 256 MB" +
      "NaN made in head, step 409 →" +
      "▁▃█▂ mean ±std∇ norm of gradient",
  );

  model.set("status", { ...status, message: "compiled: not observable", trouble: null });
  expect(one(".hv-message").textContent).toBe("compiled: not observable");
  expect(one(".hv-status .hv-trouble").hidden).toBe(true);
});

test("the trouble leads to its node", async () => {
  const { model, one, click } = await mount();

  await click(".hv-status .hv-trouble");

  expect(model.get("selected")).toBe("module:head");
  expect(one('[data-node="module:head"]').classList).toContain("hv-selected");
  expect(model.commands("reveal")).toEqual([]);
});

test("trouble that is folded away is unfolded by Python", async () => {
  const trouble = {
    node_id: "module:head",
    path: "head.1.conv",
    text: "raised in head.1.conv: ValueError: 3",
    is_fault: true,
  };
  const { model, click } = await mount({ status: { ...status, trouble } });

  await click(".hv-status .hv-trouble");

  expect(model.get("selected")).toBe("module:head");
  expect(model.commands("reveal")[0]).toMatchObject({ path: "head.1.conv" });
});

test("an interrupt by the user is told without the look of a fault", async () => {
  const trouble = { node_id: "module:head", path: "head", text: "interrupted in head", is_fault: false };
  const { model, one } = await mount({ status: { ...status, trouble } });

  expect(one(".hv-status .hv-trouble").textContent).toBe("interrupted in head →");
  expect(one(".hv-status .hv-trouble").hasAttribute("data-interrupt")).toBe(true);

  model.set("status", status);
  expect(one(".hv-status .hv-trouble").hasAttribute("data-interrupt")).toBe(false);
});

test("an error of the kernel is shown until it is dismissed", async () => {
  const { model, one, click } = await mount();
  await click('[data-icon="pause"]');

  model.fire("msg:custom", { id: model.commands("pause")[0]?.id, error: "The session is closed." }, []);
  expect(one(".hv-problem [role=alert]").textContent).toBe("The session is closed.");

  await click('[aria-label="Dismiss"]');
  expect(one(".hv-problem").hidden).toBe(true);
});

test("a narrow view has drawers, of which one is open at a time", async () => {
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(700);
  const { one, click } = await mount();

  expect(one(".hv-switches-pane").hidden).toBe(true);
  expect(one(".hv-inspector-pane").hidden).toBe(true);

  await click('[data-drawer="switches"]');
  expect(one(".hv-switches-pane").hidden).toBe(false);

  await click('[data-drawer="inspector"]');
  expect([one(".hv-switches-pane").hidden, one(".hv-inspector-pane").hidden]).toEqual([true, false]);

  await click('[data-drawer="inspector"]');
  expect(one(".hv-inspector-pane").hidden).toBe(true);
});

test("in a narrow view a selection opens the inspector, after the time of a double click", async () => {
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(700);
  const { one, click } = await mount();

  await click('[data-node="module:conv1"] > .hv-shape');
  expect(one(".hv-inspector-pane").hidden).toBe(true);

  await vi.waitFor(() => expect(one(".hv-inspector-pane").hidden).toBe(false));
});

test("a wide view has no drawers", async () => {
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(1200);
  const { el, one } = await mount({ selected: "module:conv1" });

  expect([one(".hv-switches-pane").hidden, one(".hv-inspector-pane").hidden]).toEqual([false, false]);
  expect([...el.querySelectorAll<HTMLElement>("[data-drawer]")].every((each) => each.hidden)).toBe(true);
});

test("in a wide view the inspector takes room only while something is selected", async () => {
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(1200);
  const { model, one, click, press } = await mount();
  const inspector = one(".hv-inspector-pane");
  expect(inspector.hidden).toBe(true);

  await click('[data-node="module:conv1"] > .hv-shape');
  await vi.waitFor(() => expect(inspector.hidden).toBe(false));

  one('[aria-label="Close the inspector"]').focus();
  await click('[aria-label="Close the inspector"]');
  expect([inspector.hidden, model.get("selected")]).toEqual([true, ""]);
  expect(document.activeElement?.getAttribute("data-node")).toBe("module:conv1");

  model.set("selected", "module:head");
  await frame();
  expect(inspector.hidden).toBe(false);
  one('[data-icon="pause"]').focus();
  await press("Escape");
  expect(inspector.hidden).toBe(true);
});

test("the status line tells the signs that stand on the cards, and no others", async () => {
  const { model, one } = await mount();
  const shown = () => [...one(".hv-legend-line").children].filter((each) => !(each as HTMLElement).hidden);
  expect(shown().map((each) => each.textContent)).toEqual(["▁▃█▂ mean ±std", "∇ norm of gradient"]);

  const card = { state: "captured", spark: "", value: "'hi'", gradient: "", trouble: "", note: "" } as const;
  model.set("node_data", { "module:conv1": card });

  expect(one(".hv-legend-line").hidden).toBe(true);
});

test("another view of the same model shows what the trait asks for", async () => {
  const { model, el, one } = await mount();

  model.set("view", "inspector");
  await frame();

  expect(one(".hookviz").dataset.view).toBe("inspector");
  expect(el.querySelector(".hv-toolbar")).toBeNull();
});

test("a view that goes leaves nothing behind on the model", async () => {
  const model = new FakeModel();
  const { end } = await mount({}, model);
  expect(model.listeners).toBeGreaterThan(0);

  end.abort();

  expect(model.listeners).toBe(0);
});
