import { expect, test, vi } from "vitest";
import { readPicture } from "../src/svg-picture";
import { glide, placesInSight } from "../src/transition";
import { SVG } from "./picture";

const PANE = { left: 0, top: 0, right: 500, bottom: 500 };

function pane(): HTMLElement {
  const scroller = document.createElement("div");
  vi.spyOn(scroller, "clientWidth", "get").mockReturnValue(500);
  vi.spyOn(scroller, "getBoundingClientRect").mockReturnValue(PANE as DOMRect);
  return scroller;
}

function picture(places: Record<string, number>) {
  const read = readPicture(SVG);
  if (read === null) throw new Error("The picture is no SVG.");
  for (const [id, card] of read.cards) {
    const x = places[id] ?? 9000;
    const box = { x, y: 10, left: x, top: 10, right: x + 20, bottom: 30 } as DOMRect;
    vi.spyOn(card.shape, "getBoundingClientRect").mockReturnValue(box);
  }
  return read;
}

function moves(): Map<string | undefined, unknown> {
  const seen = new Map<string | undefined, unknown>();
  vi.spyOn(Element.prototype, "animate").mockImplementation(function (this: Element, frames) {
    seen.set((this as SVGElement).dataset.node, (frames as Keyframe[])[0]);
    return {} as Animation;
  });
  return seen;
}

test("cards that stay glide from where they were, and new ones appear", () => {
  const scroller = pane();
  const seen = moves();
  const before = placesInSight(picture({ "module:conv1": 100, "input:x": 50 }), scroller);
  if (before === null) throw new Error("Nothing is in sight.");

  glide(before, picture({ "module:conv1": 300, "input:x": 50, "module:head": 10 }), scroller, 2);

  expect(seen.get("module:conv1")).toEqual({ transform: "translate(-100px, 0px)" });
  expect(seen.get("module:head")).toEqual({ opacity: 0 });
  expect(seen.has("input:x")).toBe(false);
  expect(seen.has("module:layer1.conv1")).toBe(false);
});

test("nothing moves for who asked for less motion", () => {
  vi.spyOn(window, "matchMedia").mockReturnValue({ matches: true } as MediaQueryList);

  expect(placesInSight(picture({ "module:conv1": 100 }), pane())).toBeNull();
});

test("nothing moves before there is a picture or a pane to see it in", () => {
  expect(placesInSight(null, pane())).toBeNull();
  expect(placesInSight(picture({}), document.createElement("div"))).toBeNull();
});
