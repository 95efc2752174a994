import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { colourAt } from "../src/colour-ramp";
import { coloured, colours } from "./examples";
import { FakeModel } from "./fake-model";
import { frame, type Mounted, mount } from "./views";

const CONV1 = '[data-node="module:conv1"]';
const HEAD = '[data-node="module:head"]';
const LAYER1 = '[data-node="module:layer1"]';

function heat({ one }: Mounted, card: string): string {
  return one(card).style.getPropertyValue("--hv-heat");
}

// A busy machine would else make two frames of one.
beforeEach(() => {
  vi.spyOn(performance, "now").mockReturnValue(0);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const byTime = { colour_by: "time", colours: coloured };

test("places between the colours of the ramp are mixed, as in Python", () => {
  expect([-1, 0, 0.125, 1, 2].map((place) => colourAt(place, coloured.light))).toEqual([
    "#fff7dc",
    "#fff7dc",
    "#fde8c6",
    "#a98be0",
    "#a98be0",
  ]);
});

test("a card gets the colour of its place on the scale, and its number as text", async () => {
  const view = await mount({ view: "diagram", ...byTime });

  expect([heat(view, CONV1), heat(view, HEAD)]).toEqual(["#a98be0", "#fff7dc"]);
  expect(view.texts(`${CONV1} .hv-mark text`)).toEqual(["1.5 ms"]);
  expect(view.one(`${CONV1} .hv-mark title`).textContent).toBe("time of forward: 1.5 ms");
  expect(view.one(CONV1).getAttribute("aria-description")).toBe("time of forward: 1.5 ms");
});

test("a box around cards has its number and no colour", async () => {
  const view = await mount({ view: "diagram", ...byTime });

  expect(heat(view, LAYER1)).toBe("");
  expect(view.texts(`${LAYER1} > .hv-mark text`)).toEqual(["2 ms"]);
});

test("on dark paper the dark scale is used", async () => {
  document.body.dataset.jpThemeLight = "false";
  const view = await mount({ view: "diagram", ...byTime });
  delete document.body.dataset.jpThemeLight;

  expect([heat(view, CONV1), heat(view, HEAD)]).toEqual(["#a6456f", "#26252f"]);
});

test("new numbers repaint the cards of the same picture", async () => {
  const view = await mount({ view: "diagram", ...byTime });
  const card = view.one(CONV1);

  view.model.set("colours", { ...coloured, marks: { "module:conv1": { text: "7 µs", place: 0 } } });
  await frame();

  expect(view.one(CONV1)).toBe(card);
  expect(heat(view, CONV1)).toBe("#fff7dc");
  expect(view.texts(`${CONV1} .hv-mark text`)).toEqual(["7 µs"]);
  expect([heat(view, HEAD), view.texts(`${HEAD} .hv-mark`)]).toEqual(["", []]);
});

test("without colours the cards are as they were", async () => {
  const view = await mount({ view: "diagram", ...byTime });

  view.model.set("colours", colours);
  await frame();

  expect(heat(view, CONV1)).toBe("");
  expect(view.one(CONV1).hasAttribute("data-heat")).toBe(false);
  expect(view.one(CONV1).hasAttribute("aria-description")).toBe(false);
  expect(view.el.querySelector(".hv-mark")).toBeNull();
});

test("the legend has the ends of the scale, and says that it is logarithmic", async () => {
  const { one, texts } = await mount({ view: "diagram", ...byTime });

  expect(texts(".hv-scale > span")).toEqual(["12 µs", "", "1.5 ms", "log"]);
  expect(one(".hv-ramp").style.background).toContain("linear-gradient");
  expect(one<HTMLSelectElement>(".hv-colours select").value).toBe("time");
});

test("where no card has a number, the legend says why", async () => {
  const none = { ...coloured, low: "", high: "", is_log: false, marks: {}, note: "no backward yet" };
  const { el } = await mount({ view: "diagram", colour_by: "time", colours: none });

  const shown = [...el.querySelectorAll<HTMLElement>(".hv-scale > span")].filter(({ hidden }) => !hidden);
  expect(shown.map(({ textContent }) => textContent)).toEqual(["no backward yet"]);
});

test("without colours there is the choice alone", async () => {
  const { one, texts } = await mount({ view: "diagram" });

  expect(one(".hv-scale").hidden).toBe(true);
  expect(texts(".hv-colours option")).toEqual(["no colours", "time of forward", "zeros in the output"]);
});

test("a choice is told to Python, and by it to every view of the model", async () => {
  const model = new FakeModel();
  const first = await mount({ view: "diagram" }, model);
  const second = await mount({ view: "all" }, model);
  const choice = first.one<HTMLSelectElement>(".hv-colours select");

  choice.value = "zeros";
  choice.dispatchEvent(new Event("change", { bubbles: true }));
  await frame();

  expect(model.get("colour_by")).toBe("zeros");
  expect(second.one<HTMLSelectElement>(".hv-colours select").value).toBe("zeros");
});

test("what does not fit into a frame is coloured in the next one", async () => {
  // Each look at the clock takes as long as the frame has room.
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += 5));
  const view = await mount({ view: "diagram", ...byTime });
  const atFirst = [CONV1, HEAD].filter((card) => heat(view, card) !== "");

  for (let frames = 0; frames < 5; frames++) await frame();

  expect(atFirst.length).toBeLessThan(2);
  expect([heat(view, CONV1), heat(view, HEAD)]).toEqual(["#a98be0", "#fff7dc"]);
});
