import { expect, onTestFinished, test } from "vitest";
import { catchFocus } from "../src/focus-net";
import { frame } from "./views";

const BODY = `
  <div role="group"><button id="a">a</button><button id="b">b</button></div>
  <button id="alone">alone</button>
  <svg><g data-node="module:conv1" tabindex="0"></g></svg>
`;

function widget(html = BODY): HTMLElement {
  const root = document.body.appendChild(document.createElement("div"));
  root.innerHTML = html;
  const end = new AbortController();
  catchFocus(root, end.signal);
  onTestFinished(() => {
    end.abort();
    root.remove();
  });
  return root;
}

function one(root: HTMLElement, selector: string): HTMLElement {
  return root.querySelector(selector) as HTMLElement;
}

test("a button that is disabled or hidden leaves the focus to the one beside it", async () => {
  const root = widget();
  one(root, "#a").focus();

  one(root, "#a").setAttribute("disabled", "");
  await frame();
  expect(document.activeElement).toBe(one(root, "#b"));

  one(root, "#a").removeAttribute("disabled");
  one(root, "#b").hidden = true;
  await frame();
  expect(document.activeElement).toBe(one(root, "#a"));
});

test("a button that is removed, or stands by itself, leaves the focus to the card that Tab leads to", async () => {
  const root = widget();
  one(root, "#a").focus();
  one(root, "#a").remove();
  await frame();
  expect((document.activeElement as SVGElement).dataset.node).toBe("module:conv1");

  one(root, "#alone").focus();
  one(root, "#alone").style.visibility = "hidden";
  await frame();
  expect((document.activeElement as SVGElement).dataset.node).toBe("module:conv1");
});

test("where there is no card the widget itself takes the focus", async () => {
  const root = widget('<button id="alone">alone</button>');
  one(root, "#alone").focus();

  one(root, "#alone").remove();
  await frame();

  expect(document.activeElement).toBe(root);
});

test("a focus that the user took elsewhere is left there", async () => {
  const root = widget();
  const outside = document.body.appendChild(document.createElement("button"));
  onTestFinished(() => outside.remove());
  one(root, "#a").focus();
  outside.focus();

  one(root, "#a").remove();
  await frame();

  expect(document.activeElement).toBe(outside);
});
