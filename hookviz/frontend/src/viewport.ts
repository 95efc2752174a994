/** Zooms and moves the picture in its pane; the scroll bars stay those of the browser. */

import { type ReadonlySignal, Signal } from "@preact/signals-core";
import {
  centred,
  clampScale,
  fitScale,
  fitsAcross,
  focusScale,
  frame,
  isInPane,
  nextStep,
  openingOrigin,
  openingScale,
  type Point,
  type Size,
  settled,
  TOP_MIDDLE,
  zoomOrigin,
} from "./framing";
import { onResize, perFrame } from "./lifetime";

/** A picture with what is asked of it once it is on the stage. */
export interface Shown {
  root: SVGSVGElement;
  size: Size;
  /** Where its corner is to lie, null to open it anew. */
  findOrigin(): Point | null;
  /** Whether it is to lie exactly there as long as any of it is in sight then, else so that it fills the pane. */
  isHeld: boolean;
  /** Where it begins, as shares of its width and height. */
  findEntry(): Point;
}

export interface Viewport {
  readonly scale: ReadonlySignal<number>;
  /** False as long as the picture lies as it opened or was fitted: then it does so anew in another pane or layout. */
  readonly isTouched: ReadonlySignal<boolean>;
  /** What of the picture is in sight. */
  readonly sight: ReadonlySignal<Sight>;
  /** Whether the picture would reach beyond a pane of this size, opened or fitted anew in it where it would be. */
  overhangs(room: Size): boolean;
  /** Puts another picture on the stage. */
  show(shown: Shown): void;
  /** Zooms by one step, around the middle of the pane. */
  step(direction: 1 | -1): void;
  /** Zooms around a point of the pane, its middle by default. */
  zoomTo(scale: number, anchor?: Point): void;
  /** Shows as much of the picture as can be read, and of each that comes after it, until it is moved. */
  fit(): void;
  /** Scrolls as little as needed to bring a rectangle of the page into sight. */
  reveal(rectangle: DOMRect): void;
  /** Shows a rectangle of the page as large as it fits and stays sharp, in the middle of the pane. */
  focus(rectangle: DOMRect): void;
  /** Scrolls so that a point of the picture lies in the middle of the pane. */
  center(point: Point): void;
}

/** Lengths of the picture at 100 %. */
export interface Sight {
  picture: Size;
  corner: Point;
  size: Size;
}

const NOTHING: Size = { width: 0, height: 0 };

export function createViewport(scroller: HTMLElement, stage: HTMLElement, signal: AbortSignal): Viewport {
  const scale = new Signal(1);
  const sight = new Signal<Sight>({ picture: NOTHING, corner: { x: 0, y: 0 }, size: NOTHING });
  const isTouched = new Signal(false);
  let isFitted = false;
  let picture: SVGSVGElement | null = null;
  let size: Size = { width: 0, height: 0 };
  let offset: Point = { x: 0, y: 0 };
  let entry = TOP_MIDDLE;
  /** False while the pane has no room yet, as in a tab that is not shown. */
  let isOpened = false;

  const pane = (): Size => ({ width: scroller.clientWidth, height: scroller.clientHeight });
  const scaled = (): Size => ({ width: size.width * scale.peek(), height: size.height * scale.peek() });
  const middle = (): Point => ({ x: pane().width / 2, y: pane().height / 2 });
  const origin = (): Point => ({ x: offset.x - scroller.scrollLeft, y: offset.y - scroller.scrollTop });

  const look = (): void => {
    const { x, y } = origin();
    const { width, height } = pane();
    const by = scale.peek();
    sight.value = {
      picture: size,
      corner: { x: -x / by, y: -y / by },
      size: { width: width / by, height: height / by },
    };
  };
  const lookSoon = perFrame(signal, look);
  scroller.addEventListener("scroll", lookSoon, { signal, passive: true });

  const resize = (): void => {
    if (picture === null) return;
    // An equal size would lay out the whole picture all the same.
    for (const [name, length] of Object.entries(scaled())) {
      if (picture.getAttribute(name) !== String(length)) picture.setAttribute(name, String(length));
    }
  };

  const place = (at: Point): void => {
    if (picture === null) return;
    const placed = frame(at, scaled(), pane());
    offset = placed.offset;
    stage.style.width = `${placed.stage.width}px`;
    stage.style.height = `${placed.stage.height}px`;
    resize();
    picture.style.left = `${offset.x}px`;
    picture.style.top = `${offset.y}px`;
    scroller.scrollTo(placed.scroll.x, placed.scroll.y);
    lookSoon();
  };

  const open = (): void => {
    isOpened = scroller.clientWidth > 0;
    if (isOpened) scale.value = isFitted ? fitScale(size, pane()) : openingScale(size, pane());
    place(openingOrigin(scaled(), pane(), entry));
  };

  const touch = (): void => {
    isTouched.value = true;
    isFitted = false;
  };
  const zoomTo = (wanted: number, anchor: Point = middle()): void => {
    const newScale = clampScale(wanted);
    const newOrigin = zoomOrigin(origin(), anchor, scale.peek(), newScale);
    touch();
    scale.value = newScale;
    place(newOrigin);
  };
  scroller.addEventListener("wheel", (event) => zoomByWheel(event, scroller, scale.peek(), zoomTo), {
    signal,
    passive: false,
  });
  scroller.addEventListener("wheel", touch, { signal, passive: true });
  // A click on a card moves nothing; a press beside the cards or with a move drags the picture or a scroll bar.
  scroller.addEventListener("pointerdown", ({ target }) => isOnCard(target) || touch(), { signal });
  scroller.addEventListener("pointermove", ({ buttons }) => buttons === 0 || touch(), { signal });
  onResize(signal, scroller, () => {
    const stays = isTouched.peek() || (isOpened && !isFitted && !fitsAcross(size, pane()));
    if (stays) place(origin());
    else open();
  });

  return {
    scale,
    isTouched,
    sight,
    overhangs(room) {
      const anew = isFitted ? fitScale(size, room) : openingScale(size, room);
      const by = isTouched.peek() ? scale.peek() : anew;
      return size.width * by > room.width || size.height * by > room.height;
    },
    show(shown) {
      picture = shown.root;
      size = shown.size;
      stage.replaceChildren(picture);
      resize();
      const origin = shown.findOrigin();
      entry = shown.findEntry();
      if (origin === null) open();
      else {
        const stays = shown.isHeld && isInPane(origin, scaled(), pane());
        touch();
        place(stays ? origin : settled(origin, scaled(), pane(), entry));
      }
    },
    step: (direction) => zoomTo(nextStep(scale.peek(), direction)),
    zoomTo,
    fit() {
      isFitted = true;
      isTouched.value = false;
      open();
    },
    reveal(rectangle) {
      const seen = scroller.getBoundingClientRect();
      const right = seen.left + scroller.clientWidth;
      const dx = overhang(rectangle.left, rectangle.right, seen.left, right);
      const dy = overhang(rectangle.top, rectangle.bottom, seen.top, seen.top + scroller.clientHeight);
      if (dx === 0 && dy === 0) return;
      touch();
      scroller.scrollBy(dx, dy);
    },
    focus(rectangle) {
      const seen = scroller.getBoundingClientRect();
      const before = scale.peek();
      const here = { x: rectangle.x - seen.x - origin().x, y: rectangle.y - seen.y - origin().y };
      const found = { width: rectangle.width / before, height: rectangle.height / before };
      touch();
      scale.value = focusScale(found, pane());
      place(centred({ x: here.x / before, y: here.y / before }, found, scale.peek(), pane()));
    },
    center(point) {
      touch();
      place(centred(point, NOTHING, scale.peek(), pane()));
    },
  };
}

function isOnCard(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("[data-node]") !== null;
}

/** Room left between what was brought into sight and the pane's border. */
const REVEAL_MARGIN = 12;

/** How far to scroll along one axis; what is larger than the pane shows its beginning. */
function overhang(start: number, end: number, low: number, high: number): number {
  if (start < low || end - start > high - low) return start < low || start > high ? start - low - REVEAL_MARGIN : 0;
  return end > high ? Math.min(end - high + REVEAL_MARGIN, start - low) : 0;
}

function zoomByWheel(
  event: WheelEvent,
  scroller: HTMLElement,
  scale: number,
  zoomTo: (scale: number, anchor: Point) => void,
): void {
  // Pinching on a touch pad arrives as a wheel with Ctrl held.
  if (!event.ctrlKey) return;
  event.preventDefault();
  const seen = scroller.getBoundingClientRect();
  const turned = Math.max(
    -60,
    Math.min(60, event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * 16),
  );
  zoomTo(scale * Math.exp(-turned * 0.003), { x: event.clientX - seen.left, y: event.clientY - seen.top });
}
