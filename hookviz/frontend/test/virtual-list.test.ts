import { expect, test } from "vitest";
import { html } from "../src/element";
import { createVirtualList, rowAt } from "../src/virtual-list";

test("the row at a height is found, and the first or last one beyond the ends", () => {
  const tops = [0, 30, 50, 90];

  expect([-5, 0, 29, 30, 49, 50, 89, 400].map((y) => rowAt(tops, y))).toEqual([0, 0, 0, 1, 1, 2, 2, 2]);
});

test("of five thousand rows only those in sight are elements, and the list is as high as all", () => {
  const { el, list } = listOf(5000);

  expect(el.childElementCount).toBeLessThan(40);
  expect(el.style.height).toBe("100000px");
  expect(el.firstElementChild?.getAttribute("aria-setsize")).toBe("5000");
  expect(list.reveal(4999)).toBeNull();
});

test("a row that is drawn anew keeps the focus", () => {
  const { el, list } = listOf(3);
  el.querySelectorAll("button")[1]?.focus();

  list.show(["row 0", "row 1", "row 2"]);

  expect(document.activeElement).toBe(el.querySelectorAll("button")[1]);
});

test("a row that goes leaves the focus to the one in its place, the last one to that before it", () => {
  const { el, list } = listOf(3);
  el.querySelectorAll("button")[1]?.focus();

  list.show(["row 0", "row 2"]);
  expect(document.activeElement?.textContent).toBe("row 2");

  list.show(["row 0"]);
  expect(document.activeElement?.textContent).toBe("row 0");
});

function listOf(count: number) {
  const el = document.body.appendChild(html("div"));
  const maker = {
    key: (row: string) => row,
    height: () => 20,
    draw: (row: string) => html("div", {}, html("button", { "data-control": "switch" }, row)),
  };
  const list = createVirtualList(el, document.body, maker, new AbortController().signal);
  list.show(Array.from({ length: count }, (_, i) => `row ${i}`));
  return { el, list };
}
