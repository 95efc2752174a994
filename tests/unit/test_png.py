"""The PNG draws what the engine's own fonts lack."""

from hookviz.diagram.dot import to_dot
from hookviz.diagram.png import dot_for_png
from hookviz.diagram.render import render_png
from hookviz.graph.graph import Node
from hookviz.graph.node_data import NodeData
from tests.graphs import CAPTURED, graph, one_card
from tests.layout import layout


def test_histograms_become_bars() -> None:
    dot = dot_for_png(to_dot(one_card(), {"module:fc": CAPTURED}))

    assert not set("▁▂▃▄▅▆▇█") & set(dot)
    assert dot.count('BGCOLOR="#2457d6"') == 8
    assert "grad\u00a03.10e-03" in dot


def test_bars_and_letters_give_the_same_layout() -> None:
    dot = to_dot(one_card(), {"module:fc": CAPTURED})

    assert layout(dot_for_png(dot)) == layout(dot)


def test_other_histograms_give_other_pictures() -> None:
    rising, falling = (
        render_png(to_dot(one_card(), {"module:fc": NodeData("captured", spark)})) for spark in ("▁▂▃▄▅▆▇█", "█▇▆▅▄▃▂▁")
    )

    assert rising != falling


def test_a_name_that_looks_like_a_histogram_stays_a_name() -> None:
    drawn = graph(Node("n", "module", "n", '<TD ID="slot.spark">▁▂▅</TD>', "∇"))

    dot = to_dot(drawn, {})

    assert dot_for_png(dot) == dot
