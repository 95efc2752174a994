/**
 * A small picture of the whole diagram with a frame around what is in sight; shown while not all of it is.
 *
 * It has room of its own, beside the picture or below it, so that no card lies under it.
 */

import { computed } from "@preact/signals-core";
import type { CardLines } from "./card-lines";
import type { Cards } from "./cards";
import type { Context } from "./context";
import { html, svg } from "./element";
import type { Size } from "./framing";
import { follow, perFrame } from "./lifetime";
import type { Card } from "./svg-picture";
import type { Viewport } from "./viewport";

/** No larger than this, nor than this share of the pane. */
const LARGEST = { beside: { width: 130, height: 300 }, below: { width: 420, height: 64 } };
const SHARE = { beside: { width: 0.12, height: 0.6 }, below: { width: 0.8, height: 0.15 } };
/** A picture that is much longer than wide is drawn wider than it is, so that it can be hit; and the other way round. */
const SHORTEST = { beside: 36, below: 24 };
/** So much wider than high, the room below costs a picture less than that beside it. */
const WIDE = 2;
/** A smaller pane has no room to give. */
const LEAST_PANE = { width: 320, height: 240 };

export function mountMinimap(
  el: HTMLElement,
  foot: HTMLElement,
  viewport: Viewport,
  cards: Cards,
  context: Context,
  signal: AbortSignal,
): void {
  const paths = {
    group: svg("path", { class: "hv-map-group" }),
    card: svg("path", { class: "hv-map-card" }),
    hit: svg("path", { class: "hv-map-hit" }),
    trouble: svg("path", { class: "hv-map-trouble" }),
    selected: svg("path", { class: "hv-map-selected" }),
  };
  const sight = svg("rect", { class: "hv-map-sight" });
  const map = svg("svg", { preserveAspectRatio: "none" }, ...Object.values(paths), sight);
  // Keys move from card to card instead, and scroll to each.
  const box = html("div", { class: "hv-minimap", "aria-hidden": "true", hidden: true }, map);
  foot.before(box);

  const drawCards = perFrame(signal, () => {
    if (box.hidden || cards.picture === null) return;
    const places = [...cards.picture.cards.values()].map((card) => [card, placeOf(card)] as const);
    // All cards are moved by the one group around them.
    const moved = cards.picture.root.querySelector("g")?.getAttribute("transform") ?? "";
    for (const path of Object.values(paths)) path.setAttribute("transform", moved);
    const draw = (path: SVGPathElement, isMeant: (card: Card) => boolean): void => {
      path.setAttribute("d", places.map(([card, place]) => (isMeant(card) ? place : "")).join(""));
    };
    draw(paths.group, (card) => card.isGroup);
    draw(paths.card, (card) => !card.isGroup);
    draw(paths.hit, ({ element }) => element.classList.contains("hv-hit"));
    draw(paths.trouble, ({ element }) => "trouble" in element.dataset || element.dataset.state === "failed");
    draw(paths.selected, ({ element }) => element.matches(".hv-selected, .hv-holds-selected"));
  });
  // The marks on the cards are made in the frame after the change.
  const drawAfterMarks = perFrame(signal, drawCards);

  follow(signal, () => {
    const { picture, corner, size } = viewport.sight.value;
    // With the map's own room, so that a picture which just fits without it never makes it come and go.
    const pane = { width: el.clientWidth, height: el.clientHeight - foot.offsetHeight };
    const hasRoom = pane.width >= LEAST_PANE.width && pane.height >= LEAST_PANE.height;
    const isWanted = hasRoom && viewport.overhangs(pane);
    if (isWanted && box.hidden) drawAfterMarks();
    box.hidden = !isWanted;
    if (!isWanted) return;
    const { dock, width, height } = mapIn(pane, picture);
    box.dataset.dock = dock;
    map.setAttribute("width", String(width));
    map.setAttribute("height", String(height));
    map.setAttribute("viewBox", `0 0 ${picture.width} ${picture.height}`);
    for (const [name, value] of Object.entries({ ...corner, ...size })) sight.setAttribute(name, String(value));
  });
  const { traits, hits } = context;
  // Most updates of a running cell change numbers alone, and to find the places of a thousand cards takes time.
  const wrong = computed(() => wrongIds(traits.node_data.value));
  follow(signal, () => {
    // Read here, so that a change of any of them is drawn.
    void [traits.svg.value, traits.selected.value, wrong.value, hits.value];
    drawAfterMarks();
  });
  centerByPointer(map, viewport, signal);
}

/** The cards with something wrong, as one text: equal for two updates between which nothing went wrong. */
function wrongIds(lines: CardLines): string {
  return Object.keys(lines)
    .filter((id) => lines[id]?.trouble !== "" || lines[id]?.state === "failed")
    .join("\n");
}

/** A press centres what is under it, and so does each move while it is pressed. */
function centerByPointer(map: SVGSVGElement, viewport: Viewport, signal: AbortSignal): void {
  const center = ({ clientX, clientY }: PointerEvent): void => {
    const drawn = map.getBoundingClientRect();
    const { picture } = viewport.sight.peek();
    viewport.center({
      x: ((clientX - drawn.left) / drawn.width) * picture.width,
      y: ((clientY - drawn.top) / drawn.height) * picture.height,
    });
  };
  map.addEventListener(
    "pointerdown",
    (event) => {
      if (event.button !== 0) return;
      map.setPointerCapture(event.pointerId);
      center(event);
    },
    { signal },
  );
  map.addEventListener("pointermove", (event) => event.buttons === 1 && center(event), { signal });
}

/** The outline of a card as a path; by its attributes, since where it is drawn it may still be gliding. */
function placeOf({ shape }: Card): string {
  const [x, y, width, height, cx, cy, rx, ry] = ["x", "y", "width", "height", "cx", "cy", "rx", "ry"].map((name) =>
    Number(shape.getAttribute(name)),
  ) as [number, number, number, number, number, number, number, number];
  const isRound = shape.localName === "ellipse";
  return isRound
    ? `M${cx - rx},${cy - ry}h${2 * rx}v${2 * ry}h${-2 * rx}z`
    : `M${x},${y}h${width}v${height}h${-width}z`;
}

/** Where the map of a picture lies in a pane, and how large it is. */
export function mapIn(pane: Size, picture: Size): Size & { dock: "beside" | "below" } {
  const dock = picture.width > WIDE * picture.height ? "below" : "beside";
  const [largest, share] = [LARGEST[dock], SHARE[dock]];
  const scale = Math.min(
    Math.min(largest.width, share.width * pane.width) / Math.max(picture.width, 1),
    Math.min(largest.height, share.height * pane.height) / Math.max(picture.height, 1),
  );
  return {
    dock,
    width: Math.max(SHORTEST[dock], picture.width * scale),
    height: Math.max(SHORTEST[dock], picture.height * scale),
  };
}
