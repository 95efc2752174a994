/** Which node an arrow key leads to: along the edges, whichever way they are drawn, else to what lies there. */

import type { Point } from "./framing";

export type Direction = "up" | "down" | "left" | "right";

export interface Place {
  id: string;
  /** Centre of the node in the picture. */
  center: Point;
}

export interface Link {
  source: string;
  target: string;
}

const STEP: Record<Direction, Point> = {
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
};

/** Sideways distance counts more, so that the nearest node in line wins over a nearer one beside it. */
const SIDEWAYS_COST = 2;

/** The id that an arrow key leads to from `from`, null where nothing lies in that direction. */
export function neighbour(
  from: string,
  direction: Direction,
  places: readonly Place[],
  links: readonly Link[],
): string | null {
  const here = places.find((place) => place.id === from);
  if (here === undefined) return null;
  const joined = new Set<string>();
  for (const { source, target } of links) {
    if (source === from) joined.add(target);
    if (target === from) joined.add(source);
  }
  const others = places.filter((place) => place.id !== from);
  const alongEdges = others.filter((place) => joined.has(place.id));
  // An edge may lean far and still lead down, where the picture flows down; what no edge leads to must lie
  // clearly on that side.
  const isAlongFlow = flowsDown(places, links) === (direction === "up" || direction === "down");
  return nearest(here, direction, alongEdges, isAlongFlow ? 4 : 1) ?? nearest(here, direction, others, 1);
}

/** Whether the picture is laid out from top to bottom, else from left to right. */
function flowsDown(places: readonly Place[], links: readonly Link[]): boolean {
  const centers = new Map(places.map(({ id, center }) => [id, center]));
  let across = 0;
  let down = 0;
  for (const { source, target } of links) {
    const [start, end] = [centers.get(source), centers.get(target)];
    if (start === undefined || end === undefined) continue;
    across += Math.abs(end.x - start.x);
    down += Math.abs(end.y - start.y);
  }
  return down >= across;
}

function nearest(here: Place, direction: Direction, places: readonly Place[], lean: number): string | null {
  const step = STEP[direction];
  let best: string | null = null;
  let bestCost = Number.POSITIVE_INFINITY;
  for (const { id, center } of places) {
    const dx = center.x - here.center.x;
    const dy = center.y - here.center.y;
    const ahead = dx * step.x + dy * step.y;
    const aside = Math.abs(dx * step.y) + Math.abs(dy * step.x);
    const cost = ahead + SIDEWAYS_COST * aside;
    if (ahead > 0 && aside <= lean * ahead && cost < bestCost) {
      best = id;
      bestCost = cost;
    }
  }
  return best;
}
