import { expect, test } from "vitest";
import { neighbour } from "../src/navigation";

const place = (id: string, x: number, y: number) => ({ id, center: { x, y } });

/** a feeds b and c, which stand side by side, and both feed d; e stands apart, to the right of d. */
const PLACES = [
  place("a", 100, 0),
  place("b", 50, 100),
  place("c", 160, 100),
  place("d", 100, 200),
  place("e", 300, 210),
];
const LINKS = [
  { source: "a", target: "b" },
  { source: "a", target: "c" },
  { source: "b", target: "d" },
  { source: "c", target: "d" },
];

test("down follows an edge to the nearest target", () => {
  expect(neighbour("a", "down", PLACES, LINKS)).toBe("b");
});

test("up follows an edge against its direction", () => {
  expect(neighbour("d", "up", PLACES, LINKS)).toBe("b");
});

test("sideways leads to what stands beside, without an edge", () => {
  expect(neighbour("b", "right", PLACES, LINKS)).toBe("c");
  expect(neighbour("d", "right", PLACES, LINKS)).toBe("e");
});

test("a picture that flows from left to right is walked with left and right", () => {
  const row = [place("a", 0, 50), place("b", 100, 40), place("c", 200, 50)];
  const links = [
    { source: "a", target: "b" },
    { source: "b", target: "c" },
  ];

  expect(neighbour("b", "right", row, links)).toBe("c");
  expect(neighbour("b", "left", row, links)).toBe("a");
});

test("an edge that leans far to the side still leads down", () => {
  const places = [place("a", 0, 0), place("b", 300, 100), place("c", 300, 900)];
  const links = [
    { source: "a", target: "b" },
    { source: "b", target: "c" },
  ];

  expect(neighbour("a", "down", places, links)).toBe("b");
});

test("an edge is followed before a nearer node that it does not lead to", () => {
  const places = [place("a", 0, 0), place("near", 0, 50), place("far", 0, 200)];

  expect(neighbour("a", "down", places, [{ source: "a", target: "far" }])).toBe("far");
});

test("where nothing lies in that direction, the key leads nowhere", () => {
  expect(neighbour("a", "up", PLACES, LINKS)).toBeNull();
  expect(neighbour("gone", "up", PLACES, LINKS)).toBeNull();
});
