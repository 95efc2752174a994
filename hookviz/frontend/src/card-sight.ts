/** Which cards are in sight, found from what the picture says of itself: to measure elements would lay it out. */

import type { Point, Size } from "./framing";

/** Where something lies in the picture, in its lengths. */
export interface Box extends Point, Size {}

/** What of the picture is in sight; of no size while the pane has none. */
export interface Sight {
  corner: Point;
  size: Size;
}

/** How far around of what is in sight cards count to it, as a share of its size: a short scroll finds them painted. */
const MARGIN = 0.3;

/** Graphviz draws everything in one group, which it moves. */
export function originOf(root: SVGSVGElement): Point {
  const moved = root.querySelector(":scope > g[transform]")?.getAttribute("transform") ?? "";
  const [, x = "0", y = "0"] = /translate\(([-\d.]+)[\s,]+([-\d.]+)\)/.exec(moved) ?? [];
  return { x: Number(x), y: Number(y) };
}

/** The place of an outline; null where it is no rectangle. */
export function boxOf(shape: SVGGraphicsElement, origin: Point): Box | null {
  if (shape.localName !== "rect") return null;
  const [x = 0, y = 0, width = 0, height = 0] = ["x", "y", "width", "height"].map((name) =>
    Number(shape.getAttribute(name)),
  );
  return { x: x + origin.x, y: y + origin.y, width, height };
}

/** Whether any of it is in sight; yes where that is not known. */
export function isInSight(box: Box | null, { corner, size }: Sight): boolean {
  if (box === null || size.width === 0 || size.height === 0) return true;
  const [aside, above] = [MARGIN * size.width, MARGIN * size.height];
  return (
    box.x <= corner.x + size.width + aside &&
    box.x + box.width >= corner.x - aside &&
    box.y <= corner.y + size.height + above &&
    box.y + box.height >= corner.y - above
  );
}
