import { expect, onTestFinished, test, vi } from "vitest";
import { hideStaticPicture, markedSource } from "../src/static-picture";
import { frame } from "./views";

const OURS = '<svg xmlns="http://www.w3.org/2000/svg" class="hv-diagram hv-static" width="3"/>';
const OTHERS = '<svg xmlns="http://www.w3.org/2000/svg"><g class="hv-static"/></svg>';

/** An output area as JupyterLab builds it: the widget's output, and one of a picture. */
function outputs(picture: string): { el: HTMLElement; area: HTMLElement; next: HTMLElement } {
  const area = document.body.appendChild(document.createElement("div"));
  area.innerHTML = `
    <div class="jp-OutputArea-child"><div class="jp-OutputArea-output"><div class="view"></div></div></div>
    <div class="jp-OutputArea-child"><div data-mime-type="image/svg+xml">${picture}</div></div>`;
  onTestFinished(() => area.remove());
  const [el, next] = [area.querySelector<HTMLElement>(".view"), area.lastElementChild];
  if (el === null || !(next instanceof HTMLElement)) throw new Error("The output area is not as it should be.");
  return { el, area, next };
}

function asImage(svg: string): string {
  return `<img src="data:image/svg+xml,${encodeURIComponent(svg)}">`;
}

test("a live view hides the picture that follows it, and gives it back when it goes", () => {
  const { el, next } = outputs(OURS);
  const end = new AbortController();

  hideStaticPicture(el, end.signal);
  expect(next.style.display).toBe("none");

  end.abort();
  expect(next.style.display).toBe("");
});

test("JupyterLab's way of showing an SVG as an image is known", () => {
  const { el, next } = outputs(asImage(OURS));

  hideStaticPicture(el, new AbortController().signal);

  expect(next.style.display).toBe("none");
});

test("a picture that is not ours stays", () => {
  for (const picture of [OTHERS, asImage(OTHERS), "<p>text</p>"]) {
    const { el, next } = outputs(picture);

    hideStaticPicture(el, new AbortController().signal);

    expect(next.style.display).toBe("");
  }
});

test("a picture that comes later, or is replaced by a newer one, is hidden too", async () => {
  const { el, area, next } = outputs(OURS);
  const newer = next.cloneNode(true) as HTMLElement;
  next.remove();

  hideStaticPicture(el, new AbortController().signal);
  area.append(newer);
  await frame();
  expect(newer.style.display).toBe("none");

  const newest = next.cloneNode(true) as HTMLElement;
  newer.replaceWith(newest);
  await frame();
  expect(newest.style.display).toBe("none");
  expect(newer.style.display).toBe("");
});

test("a view that is put into the page later hides its picture then", async () => {
  const { el, next } = outputs(OURS);
  const place = el.parentElement;
  el.remove();

  hideStaticPicture(el, new AbortController().signal);
  expect(next.style.display).toBe("");

  place?.append(el);
  await frame();
  expect(next.style.display).toBe("none");
});

test("a picture whose content comes later is hidden then", async () => {
  const { el, next } = outputs("");

  hideStaticPicture(el, new AbortController().signal);
  expect(next.style.display).toBe("");

  next.innerHTML = `<div data-mime-type="image/svg+xml">${OURS}</div>`;
  await frame();
  expect(next.style.display).toBe("none");
});

test("what changes in the view itself is not looked at", async () => {
  const { el, next } = outputs(OURS);
  hideStaticPicture(el, new AbortController().signal);
  const look = vi.spyOn(next, "querySelector");

  el.append("a text");
  await frame();

  expect(look).not.toHaveBeenCalled();
});

test("our mark counts on the root alone, in either spelling of a data address", () => {
  expect(markedSource(`data:image/svg+xml;base64,${btoa(OURS)}`)).toBe(true);
  expect(markedSource(`data:image/svg+xml;utf8,${encodeURIComponent(OURS)}`)).toBe(true);
  expect(markedSource(`data:image/svg+xml,${encodeURIComponent(OTHERS)}`)).toBe(false);
  expect(markedSource("data:image/png;base64,AAAA")).toBe(false);
});

test("in a host without Jupyter's outputs it looks once, and not at each frame", async () => {
  const el = document.body.appendChild(document.createElement("div"));
  onTestFinished(() => el.remove());
  const closest = vi.spyOn(el, "closest");

  hideStaticPicture(el, new AbortController().signal);
  await frame();
  await frame();

  expect(closest).toHaveBeenCalledTimes(1);
});
