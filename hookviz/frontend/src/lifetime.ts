/** Ties what a view starts to the AbortSignal that ends it. */

import { effect, untracked } from "@preact/signals-core";

/** Runs now and whenever a signal that it read changes, until the view goes. */
export function follow(signal: AbortSignal, run: () => void): void {
  if (signal.aborted) return;
  signal.addEventListener("abort", effect(run), { once: true });
}

/** Runs whenever what `read` reads changes, until the view goes; what it is at the start changes nothing. */
export function followChanges(signal: AbortSignal, read: () => unknown, run: () => void): void {
  let isStart = true;
  follow(signal, () => {
    read();
    if (!isStart) untracked(run);
    isStart = false;
  });
}

/** Calls at most once in `interval_ms`; of calls in between the last is made at the interval's end. */
export function throttle(signal: AbortSignal, interval_ms: number, run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last_ms = Number.NEGATIVE_INFINITY;
  const call = () => {
    timer = undefined;
    last_ms = performance.now();
    run();
  };
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  return () => {
    if (signal.aborted || timer !== undefined) return;
    timer = setTimeout(call, Math.max(0, last_ms + interval_ms - performance.now()));
  };
}

/** Calls once when the present change of signals is through, however many of them asked for it. */
export function perMicrotask(signal: AbortSignal, run: () => void): () => void {
  let isAsked = false;
  return () => {
    if (isAsked) return;
    isAsked = true;
    queueMicrotask(() => {
      isAsked = false;
      if (!signal.aborted) run();
    });
  };
}

/** Calls once before the next frame is drawn, however often it was asked to; the newest state wins. */
export function perFrame(signal: AbortSignal, run: () => void): () => void {
  let frame = 0;
  signal.addEventListener("abort", () => cancelAnimationFrame(frame), { once: true });
  return () => {
    if (signal.aborted || frame !== 0) return;
    frame = requestAnimationFrame(() => {
      frame = 0;
      run();
    });
  };
}

/** Calls whenever the element's size changes, and once at the start. */
export function onResize(signal: AbortSignal, element: Element, run: () => void): void {
  const observer = new ResizeObserver(run);
  observer.observe(element);
  signal.addEventListener("abort", () => observer.disconnect(), { once: true });
}
