/** Moves the picture with a pressed pointer, as a hand moves a sheet of paper. */

/** A press that moves less is a click. */
const CLICK_SLACK_PX = 4;

export function panByDragging(scroller: HTMLElement, signal: AbortSignal): void {
  let start: { x: number; y: number; left: number; top: number } | null = null;
  let isDragging = false;

  scroller.addEventListener(
    "pointerdown",
    (event) => {
      isDragging = false;
      // A finger scrolls by itself.
      if (event.button !== 0 || event.pointerType === "touch" || isOnScrollBar(event, scroller)) return;
      start = { x: event.clientX, y: event.clientY, left: scroller.scrollLeft, top: scroller.scrollTop };
    },
    { signal },
  );
  scroller.addEventListener(
    "pointermove",
    (event) => {
      if (start === null) return;
      const dx = event.clientX - start.x;
      const dy = event.clientY - start.y;
      if (!isDragging && Math.hypot(dx, dy) < CLICK_SLACK_PX) return;
      if (!isDragging) scroller.setPointerCapture(event.pointerId);
      isDragging = true;
      scroller.classList.add("hv-dragging");
      scroller.scrollTo(start.left - dx, start.top - dy);
    },
    { signal },
  );
  const stop = () => {
    start = null;
    scroller.classList.remove("hv-dragging");
  };
  scroller.addEventListener("pointerup", stop, { signal });
  scroller.addEventListener("pointercancel", stop, { signal });
  scroller.addEventListener(
    "click",
    (event) => {
      if (isDragging) event.stopImmediatePropagation();
    },
    { signal, capture: true },
  );
}

function isOnScrollBar(event: PointerEvent, scroller: HTMLElement): boolean {
  const seen = scroller.getBoundingClientRect();
  return event.clientX - seen.left > scroller.clientWidth || event.clientY - seen.top > scroller.clientHeight;
}
