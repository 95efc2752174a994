/** The line that reads out what is pointed at. */

import { html } from "./element";

export interface ReadingLine {
  readonly el: HTMLElement;
  /** Reads a text out; while it is empty, the hint stands in its place, which is not spoken at each change. */
  read(text: string, hint: string): void;
}

export function createReadingLine(): ReadingLine {
  const reading = html("output", { class: "hv-reading" });
  const hint = html("span", { class: "hv-reading-hint hv-muted" });
  return {
    el: html("div", { class: "hv-reading-line" }, reading, hint),
    read(text, otherwise) {
      reading.textContent = text;
      hint.textContent = text === "" ? otherwise : "";
    },
  };
}
