/** What anywidget asks of a module that is to run in every host: https://anywidget.dev/en/afm/ */

/// <reference types="vite/client" />

import { expect, test } from "vitest";
import widget from "../src/widget";

const sources = import.meta.glob<string>("../src/**/*.{ts,css}", { query: "?raw", import: "default", eager: true });

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}

test("nothing is loaded from elsewhere: the only addresses are names of XML", () => {
  const found = Object.entries(sources).flatMap(([file, source]) =>
    [...withoutComments(source).matchAll(/https?:\/\/[^\s"'`)]+/g)].map(([address]) => [file, address] as const),
  );

  expect(Object.keys(sources).length).toBeGreaterThan(100);
  expect(found.filter(([, address]) => !address.startsWith("http://www.w3.org/"))).toEqual([]);
});

test("no module is imported while it runs, and none but the bundled ones", () => {
  for (const source of Object.values(sources)) {
    expect(withoutComments(source)).not.toMatch(/\bimport\(|\brequire\(|\bimportScripts\(|\bfetch\(|XMLHttpRequest/);
  }
});

test("the module gives hosts what anywidget's rules name, and nothing else", () => {
  expect(Object.keys(widget)).toEqual(["render"]);
});
