/** Mounts the widget, or one pane of it, on a fake model. */

import { onTestFinished } from "vitest";
import widget from "../src/widget";
import type { Traits } from "../src/wire";
import { FakeModel, settled } from "./fake-model";

export interface Mounted {
  model: FakeModel;
  el: HTMLElement;
  end: AbortController;
  /** The one element that the selector means. */
  one<E extends HTMLElement = HTMLElement>(selector: string): E;
  texts(selector: string): string[];
  click(selector: string): Promise<void>;
  press(key: string, options?: KeyboardEventInit): Promise<void>;
}

export async function mount(traits: Partial<Traits> = {}, model = new FakeModel()): Promise<Mounted> {
  Object.assign(model.traits, traits);
  const el = document.body.appendChild(document.createElement("div"));
  const end = new AbortController();
  onTestFinished(() => {
    end.abort();
    el.remove();
  });
  // What else anywidget hands over is not used.
  const props = { model: model.asModel, el, signal: end.signal } as unknown as Parameters<typeof widget.render>[0];
  widget.render(props);
  await frame();
  const one = <E extends HTMLElement = HTMLElement>(selector: string): E => {
    const found = el.querySelector<E>(selector);
    if (found === null) throw new Error(`There is no ${selector} in the view.`);
    return found;
  };
  return {
    model,
    el,
    end,
    one,
    texts: (selector) => [...el.querySelectorAll(selector)].map((each) => each.textContent ?? ""),
    click: async (selector) => {
      one(selector).dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
      await frame();
    },
    press: async (key, options) => {
      const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...options });
      (document.activeElement ?? el).dispatchEvent(event);
      await frame();
    },
  };
}

/** Lets pending promises run and the next frame be drawn. */
export async function frame(): Promise<void> {
  await settled();
  await new Promise(requestAnimationFrame);
  await settled();
}
