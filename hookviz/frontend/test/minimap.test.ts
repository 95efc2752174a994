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

test("the map is there while not all of the picture is in sight", async () => {
  const height = vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(340);
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(800);
  const { one, click } = await mount({ view: "diagram" });
  await frame();
  expect(one(".hv-minimap").hidden).toBe(true);

  await click('[aria-label="Zoom in"]');
  await click('[aria-label="Zoom in"]');
  await frame();

  expect(one(".hv-minimap").hidden).toBe(false);
  height.mockRestore();
});
