import { expect, test } from "vitest";
import { SVG } from "./picture";
import { frame, mount } from "./views";

/** The picture with layer1 folded: its content is no card any more. */
const FOLDED = SVG.replace(/<g class="hv-node hv-module" data-node="module:layer1.conv1".*?<\/g>/s, "");

/** The picture with a hook's mark on conv1. */
const PILL = SVG.replace(
  /(data-node="module:conv1".*?)<\/g>/s,
  `$1<g class="hv-pill hv-pill-output" data-hooks="forward_3a_7_3a_conv1" data-state="on"><text>● record</text></g></g>`,
);

function focused(): DOMStringMap {
  return (document.activeElement as SVGElement).dataset;
}

test("where the card that has the focus is folded away, the card that holds it gets the focus", async () => {
  const { model, one } = await mount({ view: "diagram" });
  one('[data-node="module:layer1.conv1"]').focus();

  model.set("svg", FOLDED);
  await frame();

  expect(focused().node).toBe("module:layer1");
});

test("where the card that has the focus is gone, the first card gets the focus", async () => {
  const { model, one } = await mount({ view: "diagram" });
  one('[data-node="input:x"]').focus();

  model.set("svg", SVG.replaceAll('data-node="input:x"', 'data-node="input:y"'));
  await frame();

  expect(focused().node).toBe("input:y");
});

test("a hook's mark keeps the focus when the picture is drawn anew", async () => {
  const { model, one } = await mount({ view: "diagram", svg: PILL });
  one("[data-hooks]").focus();

  model.set("svg", PILL.replace("400", "500"));
  await frame();

  expect(focused().hooks).toBe("forward_3a_7_3a_conv1");
});

test("a new picture takes no focus that is elsewhere", async () => {
  const { model } = await mount({ view: "diagram" });

  model.set("svg", FOLDED);
  await frame();

  expect(document.activeElement).toBe(document.body);
});
