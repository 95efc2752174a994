import { expect, test, vi } from "vitest";
import { isLargerThan, mapSize } from "../src/minimap";
import { frame, mount } from "./views";

test("a map is worth it where the picture reaches well beyond what is in sight", () => {
  expect(isLargerThan({ width: 500, height: 500 }, { width: 500, height: 480 })).toBe(false);
  expect(isLargerThan({ width: 500, height: 900 }, { width: 500, height: 480 })).toBe(true);
  expect(isLargerThan({ width: 900, height: 100 }, { width: 500, height: 480 })).toBe(true);
});

test("a map is as long as it may be, and wide enough to be hit", () => {
  expect(mapSize({ width: 300, height: 600 })).toEqual({ width: 75, height: 150 });
  expect(mapSize({ width: 230, height: 11_500 })).toEqual({ width: 40, height: 150 });
});

const CARDS = Array.from(
  { length: 14 },
  (_, i) => `<g class="hv-node" data-node="op:${i}" data-state="idle"><rect class="hv-shape" x="5" y="${i * 100}"
    width="190" height="70"/></g>`,
);
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 1400"><g transform="translate(4 4)">
${CARDS.join("")}<g class="hv-node" data-node="op:round"><ellipse class="hv-shape" cx="50" cy="20" rx="30" ry="10"/></g>
</g></svg>`;

test("the map is there while not all of a picture of many cards is in sight", async () => {
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(700);
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(900);

  const { one, model } = await mount({ view: "diagram", svg: SVG });
  await frame();
  expect(one(".hv-minimap").hidden).toBe(false);
  expect(one(".hv-map-card").getAttribute("d")).toMatch(/^M5,0h190v70h-190z.*M20,10h60v20h-60z$/);
  expect(one(".hv-map-card").getAttribute("transform")).toBe("translate(4 4)");

  model.set("svg", SVG.replace("0 0 200 1400", "0 0 200 600"));
  await frame();
  await frame();
  expect(one(".hv-minimap").hidden).toBe(true);
});
