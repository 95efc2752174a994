/** Makes elements. Text is always set as text, so a module's name cannot become markup. */

type Attributes = Record<string, string | number | boolean | null | undefined>;
type Child = Node | string | null | false;

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element; a `true` attribute stands without value, a `false` or absent one is left out. */
export function html<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return filled(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== false));
  return element;
}

/** Writes the text where it differs: an equal one would cost a repaint, and a screen reader would read it again. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** A button that never submits anything; `label` is what a screen reader says where the text is a sign. */
export function button(text: string, attributes: Attributes = {}): HTMLButtonElement {
  return html("button", { type: "button", ...attributes }, text);
}
