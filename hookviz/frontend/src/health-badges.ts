/** Marks in the picture what looks wrong: a badge on each card, and the way of a NaN from its module to the loss. */

import { describeCard } from "./card-description";
import { type Cards, shownCard } from "./cards";
import type { Context } from "./context";
import { svg } from "./element";
import type { FindingWire, HealthWire } from "./health-wire";
import { follow, perFrame } from "./lifetime";
import { attributeId, type Card } from "./svg-picture";

const RADIUS = 8;

export function keepHealthMarked(cards: Cards, { traits }: Context, signal: AbortSignal): void {
  const paint = perFrame(signal, () => {
    paintBadges(cards, traits.health.peek());
    paintWay(cards, traits.health.peek());
  });
  follow(signal, () => {
    // Read here, so that a change of either is drawn with the next frame.
    void [traits.svg.value, traits.health.value];
    paint();
  });
}

function paintBadges(cards: Cards, { findings }: HealthWire): void {
  const byCard = new Map<Card, FindingWire[]>();
  for (const finding of findings) {
    const card = shownCard(cards, finding.node_id);
    if (card !== null) byCard.set(card, [...(byCard.get(card) ?? []), finding]);
  }
  for (const card of cards.picture?.cards.values() ?? []) paintBadge(card, byCard.get(card) ?? []);
}

function paintBadge({ element, shape }: Card, findings: readonly FindingWire[]): void {
  const drawn = element.querySelector(":scope > .hv-badge");
  const words = findings.map(({ symptom, sentence }) => `${symptom}: ${sentence}`).join("\n");
  if ((drawn?.querySelector("title")?.textContent ?? "") === words) return;
  drawn?.remove();
  if (findings.length > 0) element.append(badge(shape, findings, words));
  describeCard(element, "finding", words.replaceAll("\n", ". "));
}

/** On the card's left upper corner, where nothing else stands. */
function badge(shape: SVGGraphicsElement, findings: readonly FindingWire[], words: string): SVGGElement {
  const alarms = findings.filter(({ is_alarm }) => is_alarm).length;
  const x = Number(shape.getAttribute("x"));
  const y = Number(shape.getAttribute("y"));
  return svg(
    "g",
    { class: "hv-badge", "data-alarm": alarms > 0, transform: `translate(${x + 2} ${y + 1})` },
    svg("title", {}, words),
    svg("circle", { r: RADIUS }),
    svg("text", { y: 4 }, alarms > 1 ? String(alarms) : alarms === 1 ? "!" : "i"),
  );
}

function paintWay({ picture }: Cards, { way_nodes, way_edges }: HealthWire): void {
  const nodes = new Set(way_nodes.map(attributeId));
  const edges = new Set(way_edges.map(attributeId));
  for (const [id, { element }] of picture?.cards ?? []) element.classList.toggle("hv-on-way", nodes.has(id));
  for (const edge of picture?.edges ?? []) {
    edge.classList.toggle("hv-on-way", edges.has(`${edge.dataset.source}->${edge.dataset.target}`));
  }
}
