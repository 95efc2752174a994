/** A long list of which only the rows in sight are elements. */

import { onResize, perFrame } from "./lifetime";

export interface RowMaker<R> {
  /** Names the row, so that it keeps its element while it is the same. */
  key(row: R): string;
  height(row: R): number;
  draw(row: R): HTMLElement;
}

export interface VirtualList<R> {
  /** Draws these rows, as far as they are in sight, and anew those that were drawn before. */
  show(rows: readonly R[]): void;
  /** Scrolls to a row and gives its element. */
  reveal(index: number): HTMLElement | null;
}

/** Rows drawn above and below of what is in sight, in pixels. */
const MARGIN_PX = 480;

/** `el` becomes as high as all rows together; `scroller` is what scrolls it. */
export function createVirtualList<R>(
  el: HTMLElement,
  scroller: HTMLElement,
  maker: RowMaker<R>,
  signal: AbortSignal,
): VirtualList<R> {
  let rows: readonly R[] = [];
  let tops: number[] = [0];
  let drawn = new Map<string, { row: R; element: HTMLElement }>();

  const place = (isFresh: boolean): void => {
    const offset = scroller.getBoundingClientRect().top - el.getBoundingClientRect().top;
    const from = rowAt(tops, offset - MARGIN_PX);
    const until = rowAt(tops, offset + scroller.clientHeight + MARGIN_PX) + 1;
    const focus = focusIn(el);
    const next: typeof drawn = new Map();
    const elements: HTMLElement[] = [];
    for (const [i, row] of rows.slice(from, until).entries()) {
      const key = maker.key(row);
      const before = drawn.get(key);
      const element = !isFresh && before?.row === row ? before.element : maker.draw(row);
      element.dataset.key = key;
      element.style.transform = `translateY(${tops[from + i]}px)`;
      element.setAttribute("aria-setsize", String(rows.length));
      element.setAttribute("aria-posinset", String(from + i + 1));
      next.set(key, { row, element });
      elements.push(element);
    }
    drawn = next;
    if (isFresh || elements.length !== el.childElementCount || elements.some((each, i) => el.children[i] !== each)) {
      el.replaceChildren(...elements);
      if (focus !== null) giveFocus(el, focus);
    }
  };
  const placeSoon = perFrame(signal, () => place(false));
  scroller.addEventListener("scroll", placeSoon, { signal, passive: true });
  onResize(signal, scroller, placeSoon);

  return {
    show(wanted) {
      rows = wanted;
      tops = [0];
      let top = 0;
      for (const row of rows) {
        top += maker.height(row);
        tops.push(top);
      }
      el.style.height = `${top}px`;
      place(true);
    },
    reveal(index) {
      const row = rows[index];
      const top = tops[index];
      if (row === undefined || top === undefined) return null;
      const offset = scroller.getBoundingClientRect().top - el.getBoundingClientRect().top;
      const bottom = top + maker.height(row);
      if (top < offset) scroller.scrollBy(0, top - offset - maker.height(row));
      else if (bottom > offset + scroller.clientHeight) scroller.scrollBy(0, bottom - offset - scroller.clientHeight);
      place(false);
      return drawn.get(maker.key(row))?.element ?? null;
    },
  };
}

/** The index of the row at this height; the first or last one beyond the ends. */
export function rowAt(tops: readonly number[], y: number): number {
  let low = 0;
  let high = Math.max(tops.length - 2, 0);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((tops[middle] ?? 0) <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}

interface Focus {
  key: string | undefined;
  control: string | undefined;
  /** Its place among the rows that are elements. */
  place: number;
}

function focusIn(el: HTMLElement): Focus | null {
  const active = document.activeElement;
  if (!(active instanceof HTMLElement) || !el.contains(active)) return null;
  const row = active.closest<HTMLElement>("[data-key]");
  return {
    key: row?.dataset.key,
    control: active.dataset.control,
    place: row === null ? -1 : [...el.children].indexOf(row),
  };
}

/** The same control of the same row; of a row that went, the first one of the row in its place. */
function giveFocus(el: HTMLElement, { key, control, place }: Focus): void {
  const rows = [...el.children];
  const same = rows.find((row) => row instanceof HTMLElement && row.dataset.key === key);
  const controls = [
    ...((same ?? rows[Math.min(place, rows.length - 1)])?.querySelectorAll<HTMLElement>("[data-control]") ?? []),
  ];
  const wanted = same === undefined ? controls[0] : controls.find((each) => each.dataset.control === control);
  wanted?.focus({ preventScroll: true });
}
