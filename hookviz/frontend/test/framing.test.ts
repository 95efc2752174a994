import { expect, test } from "vitest";
import {
  centred,
  fitScale,
  focusScale,
  frame,
  isInPane,
  MARGIN,
  nextStep,
  openingOrigin,
  openingScale,
  settled,
  zoomOrigin,
} from "../src/framing";

const PANE = { width: 600, height: 500 };

/** Where the picture's corner appears in the pane. */
function cornerOf({ offset, scroll }: ReturnType<typeof frame>): [number, number] {
  return [offset.x - scroll.x, offset.y - scroll.y];
}

test("a picture appears exactly where it is put, however far off", () => {
  const picture = { width: 300, height: 2000 };

  for (const [x, y] of [
    [150, 16],
    [-250, -1900],
    [580, 480],
    [-4000, 3000],
  ] as const) {
    expect(cornerOf(frame({ x, y }, picture, PANE))).toEqual([x, y]);
  }
});

test("the stage is always large enough to scroll as far as it must", () => {
  const { stage, scroll } = frame({ x: -250, y: -1900 }, { width: 300, height: 2000 }, PANE);

  expect(stage.width - PANE.width).toBeGreaterThanOrEqual(scroll.x);
  expect(stage.height - PANE.height).toBeGreaterThanOrEqual(scroll.y);
});

test("a picture that fits has no scroll bars", () => {
  const picture = { width: 590, height: 300 };

  expect(frame(openingOrigin(picture, PANE), picture, PANE).stage).toEqual(PANE);
});

test("a picture that reaches beyond the pane scrolls to its end, with a margin below it", () => {
  const inside = { width: 300, height: 500 - MARGIN };
  const beyond = { width: 300, height: 501 - MARGIN };

  expect(frame({ x: 150, y: MARGIN }, inside, PANE).stage.height).toBe(500);
  expect(frame({ x: 150, y: MARGIN }, beyond, PANE).stage.height).toBe(501 + MARGIN);
});

test("a picture opens at 100 %, or smaller where all of it can then be read", () => {
  expect(openingScale({ width: 300, height: 400 }, PANE)).toBe(1);
  expect(openingScale({ width: 300, height: 585 }, PANE)).toBe(0.8);
  expect(openingScale({ width: 300, height: 700 }, PANE)).toBe(1);
});

test("a picture too long for that opens so that its whole width is seen, if it can then be read", () => {
  expect(openingScale({ width: 300, height: 2000 }, PANE)).toBe(1);
  expect(openingScale({ width: 710, height: 2000 }, PANE)).toBe(0.8);
  expect(openingScale({ width: 4000, height: 2000 }, PANE)).toBe(1);
});

test("a picture wider than the pane opens where it begins, without an empty border", () => {
  const wide = { width: 2000, height: 500 };

  expect(openingOrigin(wide, PANE, { x: 0.3, y: 0 }).x).toBe(-300);
  expect(openingOrigin(wide, PANE, { x: 0.01, y: 0 }).x).toBe(16);
  expect(openingOrigin(wide, PANE, { x: 0.99, y: 0 }).x).toBe(-1416);
});

test("a picture opens centred, with its top in sight", () => {
  expect(openingOrigin({ width: 300, height: 2000 }, PANE)).toEqual({ x: 150, y: MARGIN });
  expect(openingOrigin({ width: 1000, height: 2000 }, PANE)).toEqual({ x: -200, y: MARGIN });
});

test("a picture that runs to the right opens at its left, with its beginning in the middle of the pane's height", () => {
  expect(openingOrigin({ width: 2000, height: 200 }, PANE, { x: 0, y: 0.5 })).toEqual({ x: 16, y: 150 });
  expect(openingOrigin({ width: 2000, height: 2000 }, PANE, { x: 0, y: 0.5 })).toEqual({ x: 16, y: -750 });
  expect(openingOrigin({ width: 2000, height: 2000 }, PANE, { x: 0, y: 0.99 }).y).toBe(500 - 2000 - MARGIN);
});

test("a picture is in sight where it reaches into the pane", () => {
  const picture = { width: 300, height: 173 };

  expect([-172, -173, 499, 500].map((y) => isInPane({ x: 0, y }, picture, PANE))).toEqual([true, false, true, false]);
  expect([-299, -300, 599, 600].map((x) => isInPane({ x, y: 0 }, picture, PANE))).toEqual([true, false, true, false]);
});

test("a picture that fits stays where all of it is in sight, else it lies as it opens", () => {
  const picture = { width: 300, height: 173 };

  expect(settled({ x: 10, y: 327 }, picture, PANE)).toEqual({ x: 10, y: 327 });
  expect(settled({ x: 10, y: 328 }, picture, PANE)).toEqual({ x: 150, y: MARGIN });
  expect(settled({ x: 150, y: -627 }, picture, PANE)).toEqual({ x: 150, y: MARGIN });
  expect(settled({ x: -900, y: 20 }, picture, PANE, { x: 0, y: 0.5 })).toEqual({ x: 150, y: 163.5 });
});

test("a picture larger than the pane leaves no more of it empty than its margin", () => {
  const picture = { width: 300, height: 2000 };

  expect(settled({ x: 150, y: -700 }, picture, PANE)).toEqual({ x: 150, y: -700 });
  expect(settled({ x: 150, y: -1900 }, picture, PANE)).toEqual({ x: 150, y: 500 - 2000 - MARGIN });
  expect(settled({ x: 150, y: 300 }, picture, PANE)).toEqual({ x: 150, y: MARGIN });
  expect(settled({ x: -299, y: -700 }, picture, PANE)).toEqual({ x: 150, y: -700 });
});

test("zooming leaves the spot under the pointer where it is", () => {
  const origin = zoomOrigin({ x: 100, y: 50 }, { x: 300, y: 250 }, 1, 2);

  expect(origin).toEqual({ x: -100, y: -150 });
});

test("fitting shows the whole picture as far as it can be read, and never enlarges it", () => {
  expect(fitScale({ width: 284, height: 585 }, PANE)).toBe(0.8);
  expect(fitScale({ width: 100, height: 100 }, PANE)).toBe(1);
  expect(fitScale({ width: 100, height: 100_000 }, PANE)).toBe(0.55);
  expect(fitScale({ width: 100_000, height: 100 }, PANE)).toBe(0.55);
});

test("what is focused fills the pane, and a small part grows no more than by half", () => {
  expect(focusScale({ width: 1000, height: 100 }, PANE)).toBe(0.55);
  expect(focusScale({ width: 532, height: 300 }, PANE)).toBe(1);
  expect(focusScale({ width: 200, height: 80 }, PANE)).toBe(1.5);
});

test("what is centred lies in the middle, and what is larger than the pane shows its beginning", () => {
  expect(centred({ x: 1000, y: 500 }, { width: 200, height: 100 }, 1, PANE)).toEqual({ x: -800, y: -300 });
  expect(centred({ x: 1000, y: 500 }, { width: 200, height: 100 }, 2, PANE)).toEqual({ x: -1900, y: -850 });
  expect(centred({ x: 1000, y: 500 }, { width: 2000, height: 1000 }, 1, PANE)).toEqual({ x: -984, y: MARGIN - 500 });
});

test("the buttons step through round percentages and stop at the ends", () => {
  expect(nextStep(1, 1)).toBe(1.25);
  expect(nextStep(1, -1)).toBe(0.8);
  expect(nextStep(0.45, 1)).toBe(0.5);
  expect(nextStep(0.45, -1)).toBe(0.33);
  expect(nextStep(4, 1)).toBe(4);
  expect(nextStep(0.1, -1)).toBe(0.1);
});
