/** Leaves alone what is being clicked: a click reaches only an element that stays from press to release. */

/** What draws now, or once the pointer that is pressed on the element is released. */
export function drawUnlessPressed(el: HTMLElement, draw: () => void, signal: AbortSignal): () => void {
  let isPressed = false;
  let isDue = false;
  const release = (): void => {
    isPressed = false;
    // After the click, which follows the release.
    setTimeout(() => {
      if (!isDue || isPressed || signal.aborted) return;
      isDue = false;
      draw();
    });
  };
  el.addEventListener(
    "pointerdown",
    () => {
      isPressed = true;
    },
    { signal },
  );
  for (const type of ["pointerup", "pointercancel"]) window.addEventListener(type, release, { signal });
  return () => {
    if (isPressed) isDue = true;
    else draw();
  };
}
