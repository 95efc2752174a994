import { expect, test } from "vitest";
import style from "../../diagram/style.py?raw";
import type { NodeDataWire } from "../src/graph-wire";
import { LIVE_COLUMNS, paintCard } from "../src/live-values";
import { type Card, readPicture } from "../src/svg-picture";
import { nodeData } from "./examples";
import { SVG } from "./picture";

function card(id = "module:conv1"): Card {
  const found = readPicture(SVG)?.cards.get(id);
  if (found === undefined) throw new Error(`The picture has no card ${id}.`);
  return found;
}

function text({ element }: Card, slot: string): string {
  return element.querySelector(`[data-slot="${slot}"]`)?.textContent?.replaceAll("\u00a0", " ") ?? "";
}

const CAPTURED: NodeDataWire = {
  state: "captured",
  spark: "▁▂▅█",
  value: "+1.20e-02 ±5.70e-01",
  gradient: "∇ 3.10e-03",
  trouble: "",
  note: "",
};

test("live texts take the new values", () => {
  const painted = card();

  paintCard(painted, nodeData["module:conv1"]);

  expect(text(painted, "spark")).toBe("▁▂▅█▅▂▁▁");
  expect(text(painted, "value")).toBe("+1.20e-02 ±5.70e-01");
  expect(text(painted, "gradient")).toBe("∇ 3.10e-03");
  expect(painted.element.dataset.state).toBe("captured");
});

test("what does not change with runs stays", () => {
  const painted = card();

  paintCard(painted, CAPTURED);

  expect(text(painted, "name")).toBe("conv1");
  expect(text(painted, "detail")).toBe("16→16");
});

test("a trouble takes the place of the detail, and gives it back", () => {
  const painted = card();
  const detail = painted.element.querySelector('[data-slot="detail"]');

  paintCard(painted, { ...CAPTURED, trouble: "NaN 12 of 80" });
  expect(text(painted, "trouble")).toBe("NaN 12 of 80");
  expect(detail?.getAttribute("display")).toBe("none");
  expect(painted.element.hasAttribute("data-trouble")).toBe(true);

  paintCard(painted, CAPTURED);
  expect(text(painted, "trouble")).toBe("");
  expect(detail?.hasAttribute("display")).toBe(false);
  expect(painted.element.hasAttribute("data-trouble")).toBe(false);
});

test("where there is no gradient, the reason stands in its place", () => {
  const painted = card();

  paintCard(painted, { ...CAPTURED, gradient: "", note: "frozen: does not require grad" });

  expect(text(painted, "gradient")).toBe("frozen: does not require grad");
  expect(painted.element.querySelector(".hv-no-gradient")).not.toBeNull();
});

test("of a reason that is too long the card has what comes before the colon, and the pointer shows all", () => {
  const painted = card();
  const note = "not called: run 15 was of head alone";

  paintCard(painted, { ...CAPTURED, gradient: "", note });

  expect(text(painted, "gradient")).toBe("not called");
  expect(painted.element.querySelector("title")?.textContent).toBe(`conv1\n${note}`);
});

test("a reason without a colon after its first words is cut where the card ends", () => {
  const painted = card();

  paintCard(painted, { ...CAPTURED, gradient: "", note: "returned {'loss': 0.25, 'steps': 12}" });

  expect(text(painted, "gradient")).toBe("returned {'loss': 0.25, 'step…");
});

test("the pointer shows trouble and note in full, once", () => {
  const painted = card();
  const data = { ...CAPTURED, trouble: "NaN 12 of 80", note: "no backward yet" };

  paintCard(painted, data);
  paintCard(painted, data);

  expect(painted.element.querySelector("title")?.textContent).toBe("conv1\nNaN 12 of 80\nno backward yet");
});

test("a card of which nothing is known is blank", () => {
  const painted = card();
  paintCard(painted, CAPTURED);

  paintCard(painted, undefined);

  expect(text(painted, "value").trim()).toBe("");
  expect(painted.element.dataset.state).toBe("idle");
});

test("what has no live lines is marked if it has a trouble, and the pointer shows it", () => {
  const input = card("input:x");

  paintCard(input, { ...CAPTURED, value: "", trouble: "NaN in it" });

  expect(input.element.hasAttribute("data-trouble")).toBe(true);
  expect(input.element.querySelector("title")?.textContent).toBe("x\nNaN in it");
  expect(input.element.querySelectorAll("text")).toHaveLength(0);

  paintCard(input, undefined);

  expect(input.element.hasAttribute("data-trouble")).toBe(false);
  expect(input.element.querySelector("title")?.textContent).toBe("x");
});

test("a live line is as long as the card that Python lays out has room for", () => {
  expect(style).toContain(`live_columns: int = ${LIVE_COLUMNS}\n`);
});
