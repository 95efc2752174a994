import { expect, test } from "vitest";
import { attributeId, readPicture } from "../src/svg-picture";
import { SVG } from "./picture";

function read(content: string) {
  const picture = readPicture(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 40">${content}</svg>`);
  if (picture === null) throw new Error("This is no SVG.");
  return picture;
}

test("cards are found by the id of their node, groups among them", () => {
  const cards = readPicture(SVG)?.cards;

  expect([...(cards?.keys() ?? [])]).toEqual([
    "module:layer1",
    "input:x",
    "module:conv1",
    "module:layer1.conv1",
    "module:head",
  ]);
  expect(cards?.get("module:layer1")?.isGroup).toBe(true);
  expect(cards?.get("module:head")?.isGroup).toBe(false);
});

test("a picture has its size at 100 %", () => {
  expect(readPicture(SVG)?.size).toEqual({ width: 300, height: 400 });
});

test("a fold mark gets a target that a pointer can hit", () => {
  expect(readPicture(SVG)?.cards.get("module:head")?.element.querySelectorAll(".hv-fold-target")).toHaveLength(1);
});

test("scripts and foreign content are dropped with all that is in them", () => {
  const { root } = read(
    `<script>alert(1)</script><g><foreignObject><rect/></foreignObject><text>kept</text></g>
     <html xmlns="http://www.w3.org/1999/xhtml"><body/></html><image/><style>*{}</style><use/><animate/>`,
  );

  expect([...root.querySelectorAll("*")].map((each) => each.localName)).toEqual(["g", "text"]);
});

test("attributes that run, load or link are dropped", () => {
  const { root } = read(
    `<g onclick="alert(1)" style="background:url(http://elsewhere)" fill="url(http://elsewhere)" stroke="url(#own)"
        class="kept" xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="javascript:alert(1)" href="#"/>`,
  );

  expect([...(root.querySelector("g")?.attributes ?? [])].map(({ name }) => name).sort()).toEqual([
    "class",
    "stroke",
    "xmlns:xlink",
  ]);
});

test("markup in a name stays text", () => {
  const { root } = read("<text>&lt;script&gt;alert(1)&lt;/script&gt;</text>");

  expect(root.querySelector("script")).toBeNull();
  expect(root.textContent).toBe("<script>alert(1)</script>");
});

test("what is no SVG is no picture", () => {
  expect(readPicture("")).toBeNull();
  expect(readPicture("<svg")).toBeNull();
  expect(readPicture("<html/>")).toBeNull();
});

test("an id is spelled as XML allows", () => {
  expect(attributeId("module:layer1.0")).toBe("module:layer1.0");
  expect(attributeId("module:a\u0000b\u001f")).toBe("module:a_0_b_1f_");
  expect(attributeId("module:층.😀")).toBe("module:층.😀");
});
