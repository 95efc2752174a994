/**
 * Where a picture lies in a scrolling pane.
 *
 * All that moves the picture (zoom, fold, fit) says where its top left corner is to appear in the pane;
 * `frame` finds the stage size and scroll position that put it there, adding room where scrolling
 * alone could not reach.
 */

export interface Size {
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

export interface Frame {
  /** Size of the stage that scrolls. */
  stage: Size;
  /** Where the picture lies on the stage. */
  offset: Point;
  scroll: Point;
}

/** Room kept free around the picture, in pixels. */
export const MARGIN = 16;

export const MIN_SCALE = 0.1;
export const MAX_SCALE = 4;

/** Put the picture's corner at `origin`, a point of the pane. */
export function frame(origin: Point, picture: Size, pane: Size): Frame {
  const horizontal = frameAxis(origin.x, picture.width, pane.width);
  const vertical = frameAxis(origin.y, picture.height, pane.height);
  return {
    stage: { width: horizontal.stage, height: vertical.stage },
    offset: { x: horizontal.offset, y: vertical.offset },
    scroll: { x: horizontal.scroll, y: vertical.scroll },
  };
}

function frameAxis(origin: number, picture: number, pane: number): { stage: number; offset: number; scroll: number } {
  // A picture that nearly fills the pane gives up its margin rather than scroll by a few pixels.
  const free = Math.max(0, pane - picture);
  const before = free > 0 ? Math.min(MARGIN, free / 2) : MARGIN;
  const offset = Math.max(before, origin);
  const after = offset + picture <= pane ? 0 : MARGIN;
  const scroll = offset - origin;
  return { offset, scroll, stage: Math.max(pane, offset + picture + after, scroll + pane) };
}

/** Below this scale the live lines of a card cannot be read. */
const READABLE_SCALE = 0.7;

/** Whether the pane is wide enough to read the picture without scrolling sideways. */
export function fitsAcross(picture: Size, pane: Size): boolean {
  return (pane.width - 2 * MARGIN) / picture.width >= READABLE_SCALE;
}

/** A picture that is seen whole at this scale or above opens so, rather than with its end cut off. */
const WHOLE_SCALE = 0.75;

/** A picture opens at 100 %, or smaller where all of it, or its whole width, is then seen and can still be read. */
export function openingScale(picture: Size, pane: Size): number {
  const whole = wholeScale(picture, pane);
  if (whole >= WHOLE_SCALE) return Math.min(1, whole);
  return fitsAcross(picture, pane) ? Math.min(1, (pane.width - 2 * MARGIN) / picture.width) : 1;
}

/** Where a picture begins, as shares of its width and height: at its top, or at its left. */
export const TOP_MIDDLE: Point = { x: 0.5, y: 0 };

/**
 * Opens with its beginning in sight. One that begins at its top lies there, between left and right in the middle;
 * one that begins at its left lies at the left, between top and bottom in the middle. What is larger than the
 * pane has its beginning in the middle of it.
 */
export function openingOrigin(picture: Size, pane: Size, entry = TOP_MIDDLE): Point {
  return {
    x: openingAxis(picture.width, pane.width, entry.x),
    y: entry.y === 0 ? MARGIN : openingAxis(picture.height, pane.height, entry.y),
  };
}

function openingAxis(picture: number, pane: number, entry: number): number {
  const free = pane - picture;
  if (free >= -2 * MARGIN) return free / 2;
  return Math.min(MARGIN, Math.max(free - MARGIN, pane / 2 - entry * picture));
}

/** Whether any of the picture is in sight. */
export function isInPane(origin: Point, picture: Size, pane: Size): boolean {
  return reaches(origin.x, picture.width, pane.width) && reaches(origin.y, picture.height, pane.height);
}

function reaches(origin: number, picture: number, pane: number): boolean {
  return origin < pane && origin + picture > 0;
}

/**
 * The origin nearest to the wanted one at which the pane shows as much of the picture as it can. Of a picture that
 * fits whole it is the wanted one if all of it is in sight there, else the one at which it opens.
 */
export function settled(origin: Point, picture: Size, pane: Size, entry = TOP_MIDDLE): Point {
  const free = { x: pane.width - picture.width, y: pane.height - picture.height };
  if (free.x >= 0 && free.y >= 0) {
    const isWhole = origin.x >= 0 && origin.y >= 0 && origin.x <= free.x && origin.y <= free.y;
    return isWhole ? origin : openingOrigin(picture, pane, entry);
  }
  return { x: settledAxis(origin.x, free.x), y: settledAxis(origin.y, free.y) };
}

function settledAxis(origin: number, free: number): number {
  if (free >= 0) return origin >= 0 && origin <= free ? origin : free / 2;
  return Math.min(MARGIN, Math.max(free - MARGIN, origin));
}

/** The origin after a change of scale that leaves the spot under `anchor` where it is. */
export function zoomOrigin(origin: Point, anchor: Point, oldScale: number, newScale: number): Point {
  const ratio = newScale / oldScale;
  return { x: anchor.x - (anchor.x - origin.x) * ratio, y: anchor.y - (anchor.y - origin.y) * ratio };
}

/** Below this scale not even the names on the cards can be read. */
const SMALLEST_FIT = 0.55;

/**
 * The scale at which the whole picture is seen, as far as its names can then be read; never above 1, where
 * it would only grow coarse.
 */
export function fitScale(picture: Size, pane: Size): number {
  return Math.max(SMALLEST_FIT, Math.min(1, wholeScale(picture, pane)));
}

/** The scale at which a picture fills the pane but for its margins. */
function wholeScale(picture: Size, pane: Size): number {
  return Math.min((pane.width - 2 * MARGIN) / picture.width, (pane.height - 2 * MARGIN) / picture.height);
}

/** A single card is not blown up further. */
const LARGEST_FOCUS = 1.5;
/** Room around a part of the picture, so that one sees what it is joined to. */
const AROUND = 34;

/** The scale at which a part of the picture fills the pane, as far as it can then be read. */
export function focusScale(part: Size, pane: Size): number {
  const across = (pane.width - 2 * AROUND) / part.width;
  const down = (pane.height - 2 * AROUND) / part.height;
  return Math.max(SMALLEST_FIT, Math.min(LARGEST_FOCUS, across, down));
}

/** The origin at which a part of the picture, given at 100 %, lies in the middle of the pane; its beginning if larger. */
export function centred(corner: Point, part: Size, scale: number, pane: Size): Point {
  return {
    x: Math.max(MARGIN, (pane.width - part.width * scale) / 2) - corner.x * scale,
    y: Math.max(MARGIN, (pane.height - part.height * scale) / 2) - corner.y * scale,
  };
}

export function clampScale(scale: number): number {
  return Math.min(MAX_SCALE, Math.max(MIN_SCALE, scale));
}

/** Steps of the + and − buttons; 100 % is always one of them. */
const STEPS = [0.1, 0.15, 0.25, 0.33, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 4];

/** The next step above (1) or below (−1) a scale. */
export function nextStep(scale: number, direction: 1 | -1): number {
  // A fitted scale lies between steps; the tolerance keeps 0.6667 from counting as below 0.67.
  const beyond = STEPS.filter((step) => (step - scale) * direction > 0.005);
  return (direction === 1 ? beyond[0] : beyond.at(-1)) ?? clampScale(scale);
}
