import { Signal } from "@preact/signals-core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { boxOf, isInSight, originOf, type Sight } from "../src/card-sight";
import { type Cards, type Items, markCards } from "../src/cards";
import type { NodeDataWire } from "../src/graph-wire";
import { readPicture } from "../src/svg-picture";
import type { TraitSignals } from "../src/traits";
import { graph, nodeData } from "./examples";

const CARDS = 40;
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 4000"><g transform="scale(1 1) rotate(0) translate(10 3990)">
${Array.from({ length: CARDS }, (_, place) => card(place)).join("\n")}</g></svg>`;
const TOP: Sight = { corner: { x: 0, y: 0 }, size: { width: 200, height: 500 } };
const EVERYTHING: Sight = { corner: { x: 0, y: 0 }, size: { width: 200, height: 4000 } };

/** One below the other, each 100 apart; Graphviz counts from below. */
function card(place: number): string {
  return `<g data-node="module:${place}"><title>${place}</title>
    <rect class="hv-shape" x="0" y="${100 * place - 3990}" width="190" height="70"/><text data-slot="value"/></g>`;
}

function stage() {
  const picture = readPicture(SVG);
  const cards: Cards = { picture, tabStop: "", rows: new Signal(new Map()) };
  const [node] = graph.nodes;
  const ids = Array.from({ length: CARDS }, (_, place) => `module:${place}`);
  const items = new Map(ids.map((id) => [id, { ...node, id }])) as Items;
  const mark = (sight: Sight, value: string, change: Record<string, Partial<NodeDataWire>> = {}, selected = "") => {
    const lines = ids.map((id) => [id, { ...nodeData["module:conv1"], value, ...change[id] }]);
    const traits = {
      graph: new Signal(graph),
      node_data: new Signal(Object.fromEntries(lines)),
      selected: new Signal(selected),
    } as unknown as TraitSignals;
    return markCards(cards, items, traits, sight);
  };
  const values = () => [...(picture?.cards.values() ?? [])].map(({ texts }) => texts[0]?.element.textContent);
  return { mark, values, picture };
}

// A busy machine would else make two frames of one.
beforeEach(() => {
  vi.spyOn(performance, "now").mockReturnValue(0);
});
afterEach(() => {
  vi.restoreAllMocks();
});

test("a picture that is new shows the numbers of all cards", () => {
  const { mark, values } = stage();

  mark(TOP, "+1");

  expect(values()).toEqual(Array(CARDS).fill("+1"));
});

test("new numbers are written where they are seen, and elsewhere when they come into sight", () => {
  const { mark, values } = stage();
  mark(TOP, "+1");

  mark(TOP, "+2");
  expect(values().slice(0, 5)).toEqual(Array(5).fill("+2"));
  expect(values().slice(10)).toEqual(Array(CARDS - 10).fill("+1"));

  mark(EVERYTHING, "+2");
  expect(values()).toEqual(Array(CARDS).fill("+2"));
});

test("what is wrong or selected is marked out of sight too", () => {
  const { mark, picture } = stage();
  mark(TOP, "+1");

  mark(TOP, "+2", { "module:30": { trouble: "NaN 1 of 2" } }, "module:39");

  expect(picture?.cards.get("module:30")?.element.hasAttribute("data-trouble")).toBe(true);
  expect(picture?.cards.get("module:39")?.element.classList).toContain("hv-selected");
});

test("what does not fit into a frame comes first in the next one", () => {
  const { mark, values } = stage();
  mark(EVERYTHING, "+1");
  // Each look at the clock takes a millisecond.
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now++);

  expect(mark(EVERYTHING, "+2")).toBe(false);
  expect(values().filter((value) => value === "+2")).toEqual(Array(8).fill("+2"));

  expect(mark(EVERYTHING, "+3")).toBe(false);
  expect(values().slice(0, 17)).toEqual([...Array(8).fill("+2"), ...Array(8).fill("+3"), "+1"]);
  vi.spyOn(performance, "now").mockReturnValue(0);

  expect(mark(EVERYTHING, "+3")).toBe(true);
  expect(values()).toEqual(Array(CARDS).fill("+3"));
});

test("a card counts to what is in sight while it is near", () => {
  const box = { x: 0, y: 640, width: 190, height: 70 };

  expect(isInSight(box, TOP)).toBe(true);
  expect(isInSight({ ...box, y: 660 }, TOP)).toBe(false);
  expect(isInSight({ ...box, x: 300 }, TOP)).toBe(false);
});

test("where no place or no size is known, a card counts to what is in sight", () => {
  const far = { x: 0, y: 9000, width: 1, height: 1 };

  expect(isInSight(null, TOP)).toBe(true);
  expect(isInSight(far, { ...TOP, size: { width: 0, height: 0 } })).toBe(true);
});

test("the place of a card is read from the picture, an oval has none", () => {
  const { picture } = stage();
  const oval = document.createElementNS("http://www.w3.org/2000/svg", "ellipse");

  expect(picture === null ? null : originOf(picture.root)).toEqual({ x: 10, y: 3990 });
  expect(picture?.cards.get("module:3")?.box).toEqual({ x: 10, y: 300, width: 190, height: 70 });
  expect(boxOf(oval, { x: 0, y: 0 })).toBeNull();
});
