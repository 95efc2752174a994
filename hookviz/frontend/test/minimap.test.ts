import { expect, test, vi } from "vitest";
import { mapIn } from "../src/minimap";
import { frame, mount } from "./views";

const PANE = { width: 1000, height: 500 };

test("the map lies beside a picture, but below one that is much wider than high", () => {
  expect(mapIn(PANE, { width: 400, height: 1200 })).toEqual({ dock: "beside", width: 100, height: 300 });
  expect(mapIn(PANE, { width: 2000, height: 200 })).toEqual({ dock: "below", width: 420, height: 42 });
});

test("a map takes little of a narrow pane, and is large enough to be hit", () => {
  expect(mapIn({ width: 400, height: 500 }, { width: 1200, height: 1500 })).toMatchObject({ width: 48, height: 60 });
  expect(mapIn(PANE, { width: 230, height: 11_500 })).toMatchObject({ width: 36, height: 300 });
  expect(mapIn(PANE, { width: 21_000, height: 200 })).toMatchObject({ width: 420, height: 24 });
});

const CARDS = Array.from(
  { length: 14 },
  (_, i) => `<g class="hv-node" data-node="op:${i}" data-state="idle"><rect class="hv-shape" x="5" y="${i * 100}"
    width="190" height="70"/></g>`,
);
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 1400"><g transform="translate(4 4)">
${CARDS.join("")}<g class="hv-node" data-node="op:round"><ellipse class="hv-shape" cx="50" cy="20" rx="30" ry="10"/></g>
</g></svg>`;

test("the map is there while a picture does not lie in the pane as a whole", async () => {
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
