import { expect, test } from "vitest";
import { describeCard } from "../src/card-description";

test("what is told of a card by several parts stands together, and each part goes by itself", () => {
  const card = document.createElement("div");

  describeCard(card, "colour", "time of forward: 2 ms");
  describeCard(card, "finding", "dead: 9 of 10 units gave 0");
  expect(card.getAttribute("aria-description")).toBe("dead: 9 of 10 units gave 0. time of forward: 2 ms");

  describeCard(card, "finding", "");
  expect(card.getAttribute("aria-description")).toBe("time of forward: 2 ms");

  describeCard(card, "colour", "");
  expect(card.hasAttribute("aria-description")).toBe(false);
});
