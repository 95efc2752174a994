/** What browsers have and jsdom lacks, as little of it as the views need. */

import { setMaxListeners } from "node:events";

// Every listener of a view hangs on its one AbortSignal; from the eleventh on, Node suspects a leak.
setMaxListeners(0);

class StillResizeObserver {
  readonly #run: () => void;
  constructor(run: () => void) {
    this.#run = run;
  }
  observe(): void {
    this.#run();
  }
  unobserve(): void {}
  disconnect(): void {}
}

Object.assign(globalThis, { ResizeObserver: StillResizeObserver });
Object.assign(window, { matchMedia: () => Object.assign(new EventTarget(), { matches: false }) });
Object.assign(Element.prototype, { scrollTo() {}, scrollBy() {}, scrollIntoView() {}, animate() {} });
Object.assign(HTMLCanvasElement.prototype, { getContext: () => null });
Object.assign(HTMLDialogElement.prototype, {
  showModal(this: HTMLDialogElement) {
    this.open = true;
    this.querySelector<HTMLElement>("[autofocus]")?.focus();
  },
  close(this: HTMLDialogElement) {
    this.open = false;
    this.dispatchEvent(new Event("close"));
  },
});
