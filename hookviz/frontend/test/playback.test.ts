import { expect, test } from "vitest";
import { placeOf, playbackText, stepAt } from "../src/playback-text";
import type { PlaybackWire } from "../src/step-wire";
import { playback } from "./examples";
import { frame, mount } from "./views";

const LIVE: PlaybackWire = { ...playback, held: null, pinned: null };

test("the bar says what is followed, or which step is held of which", () => {
  expect(playbackText(LIVE, "live")).toBe("following the newest: step 480");
  expect(playbackText(LIVE, "paused")).toBe("paused at step 480");
  expect(playbackText(LIVE, "closed")).toBe("the last: step 480");
  expect(playbackText(playback, "paused")).toBe("step 120 of 3 … 480, held; newest 480");
});

test("the end of the slider follows the newest, any other place holds a step", () => {
  expect([stepAt(LIVE, 0), stepAt(LIVE, 1), stepAt(LIVE, 2), stepAt(LIVE, 9), stepAt(LIVE, -1)]).toEqual([
    3,
    120,
    null,
    null,
    3,
  ]);
  expect([placeOf(LIVE, null), placeOf(LIVE, 120), placeOf(LIVE, 1)]).toEqual([2, 1, 0]);
});

test("one step is no choice: there is no bar", async () => {
  const { one } = await mount({ playback: { ...LIVE, steps: [480] } });

  expect(one(".hv-playback").hidden).toBe(true);
});

test("a moved slider holds a step, and says so when it is shown", async () => {
  const { model, one, el } = await mount({ playback: LIVE });
  const slider = one<HTMLInputElement>(".hv-playback input");
  expect([slider.max, slider.value]).toEqual(["2", "2"]);

  slider.value = "1";
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  await model.answer("hold", {});
  model.set("playback", { ...LIVE, held: 120 });
  await frame();

  expect(model.commands("hold").map(({ step }) => step)).toEqual([120]);
  expect(one(".hv-playback-text").textContent).toBe("step 120 of 3 … 480, held; newest 480");
  expect(slider.getAttribute("aria-valuetext")).toBe("step 120 of 3 … 480, held; newest 480");
  expect(el.querySelector(".hookviz")?.hasAttribute("data-held")).toBe(true);
  expect(one(".hv-playback [role=status]").textContent).toBe("Step 120 is shown and held");
  model.set("playback", { ...LIVE, steps: [3, 120, 480, 481], newest: 481, held: 120 });
  model.set("playback", { ...LIVE, steps: [3, 120, 480, 481], newest: 481 });
  expect(one(".hv-playback [role=status]").textContent).toBe("The newest step is shown");
});

test("without a kernel no other step can be asked for, nor another depth", async () => {
  const { el, one } = await mount({ playback: { ...LIVE, held: 120 } });
  const controls = () => [...one(".hv-playback").querySelectorAll<HTMLInputElement>("button, input")];
  const depth = () => [...one('[aria-label="Depth"]').querySelectorAll("button")];
  expect(controls().some(({ disabled }) => disabled)).toBe(false);

  el.classList.add("jupyter-widgets-disconnected");
  await frame();

  expect(controls().every(({ disabled }) => disabled)).toBe(true);
  expect(depth().every(({ disabled }) => disabled)).toBe(true);
});

test("of the steps that a moving slider passes, only the last is asked for when the first is shown", async () => {
  const { model, one } = await mount({ playback: { ...LIVE, steps: [1, 2, 3, 4, 5] } });
  const slider = one<HTMLInputElement>(".hv-playback input");

  for (const place of ["3", "2", "1", "0"]) {
    slider.value = place;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }
  await model.answer("hold", {});

  expect(model.commands("hold").map(({ step }) => step)).toEqual([4, 1]);
});

test("keys lead from step to step and back to live, but not while one writes", async () => {
  const { model, one, press } = await mount({ playback });
  one<HTMLElement>("[data-node][tabindex='0']").focus();

  await press("[");
  await model.answer("hold", {});
  await press("]");
  await model.answer("hold", {});
  await press("l");
  await model.answer("hold", {});
  one<HTMLElement>(".hv-find-text").focus();
  await press("l");

  expect(model.commands("hold").map(({ step }) => step)).toEqual([3, null, null]);
});

test("of quick keys each leads one step further, however the steps move on meanwhile", async () => {
  const moving = { ...LIVE, steps: [1, 40, 41, 42, 43], newest: 43, held: 1 };
  const { model, one, press } = await mount({ playback: moving });
  const slider = one<HTMLInputElement>(".hv-playback input");
  slider.focus();

  await press("]");
  await press("]");
  model.set("playback", { ...moving, steps: [1, 41, 42, 43, 44], newest: 44 });
  expect(slider.value).toBe("1");
  await press("]");
  await model.answer("hold", {});
  model.set("playback", { ...moving, steps: [41, 42, 43, 44], newest: 44, held: 42 });
  await model.answer("hold", {});

  expect(model.commands("hold").map(({ step }) => step)).toEqual([40, 42]);
  expect(slider.value).toBe("1");
});

test("from a run of a part alone, one click leads to the last whole run", async () => {
  const { model, one, click } = await mount({ playback: { ...LIVE, part: "head", whole: 120 } });
  expect(one(".hv-playback-text").textContent).toBe("following the newest: step 480, of head alone");
  expect(one(".hv-playback-whole").textContent).toBe("Last whole run: step 120");

  await click(".hv-playback-whole");

  expect(model.commands("hold").at(-1)?.step).toBe(120);
  model.set("playback", LIVE);
  await frame();
  expect(one(".hv-playback-whole").hidden).toBe(true);
});

test("one click goes back to live", async () => {
  const { model, click } = await mount({ playback });

  await click(".hv-playback-live");

  expect(model.commands("hold").at(-1)?.step).toBe(null);
});
