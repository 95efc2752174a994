"""Every text of a picture fits its card in a browser, whose fonts are not those of the layout."""

import pytest
from playwright.sync_api import Page

from hookviz.diagram.dot import to_dot
from hookviz.diagram.render import render_svg
from hookviz.graph.graph import Group, Node
from hookviz.graph.node_data import NodeData
from tests.graphs import EVERY_STATE_DATA, every_state, graph

pytestmark = pytest.mark.browser

NAMES = [
    "conv1",
    "WWWWWWWWWWWW",
    "한국어 이름 모듈",
    "😀😀😀😀",
    "עברית",
    "x" * 10_000,
    "Ωμέγα → ∑∫",
    "</text><script>",
    "{|}\\N",
]

TEXTS_OUT_OF_THEIR_CARD = """() =>
  [...document.querySelectorAll("[data-node]")].flatMap((card) => {
    const border = card.querySelector(".hv-shape").getBBox();
    return [...card.querySelectorAll("text:not([display])")]
      .filter((text) => {
        const box = text.getBBox();
        return box.width > 0 && (box.x < border.x + 3 || box.x + box.width > border.x + border.width - 3);
      })
      .map((text) => text.textContent);
  })"""

TEXTS_ON_EACH_OTHER = """() =>
  [...document.querySelectorAll("[data-node]")].flatMap((card) => {
    const boxes = [...card.querySelectorAll("text:not([display])")]
      .map((text) => ({ text: text.textContent, box: text.getBBox() }))
      .filter(({ box }) => box.width > 0);
    return boxes.flatMap(({ text, box }, i) =>
      boxes.slice(i + 1)
        .filter(({ box: next }) => Math.abs(next.y - box.y) < 6 && next.x < box.x + box.width - 0.5)
        .map((next) => `${text} | ${next.text}`));
  })"""


def test_no_text_leaves_its_card_or_covers_another(page: Page) -> None:
    cards = [Node(f"module:{name}", "module", name, name, name, name, is_foldable=True) for name in NAMES]
    ovals = [Node(f"op:{name}", "op", name, name) for name in NAMES]
    inside = Node("module:inside", "module", "inside", "inside", group="group")
    drawn = graph(*cards, *ovals, inside, groups=(Group("group", "group", NAMES[2], NAMES[1], None),))
    trouble = NodeData("failed", "█" * 8, "-1.23e-45 ±1.20e-45", "", "WWWWW RuntimeError: " + "shape " * 20, "n" * 99)

    page.set_content(render_svg(to_dot(drawn, {card.id: trouble for card in cards})))

    assert page.evaluate(TEXTS_OUT_OF_THEIR_CARD) == []
    assert page.evaluate(TEXTS_ON_EACH_OTHER) == []


def test_values_of_every_state_fit(page: Page) -> None:
    page.set_content(render_svg(to_dot(every_state(), EVERY_STATE_DATA)))

    assert page.locator("[data-slot=gradient]:visible").count() > 4
    assert page.evaluate(TEXTS_OUT_OF_THEIR_CARD) == []
    assert page.evaluate(TEXTS_ON_EACH_OTHER) == []
