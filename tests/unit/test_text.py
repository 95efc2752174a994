"""The picture as text: one line for each node, the same in every process."""

from dataclasses import replace

from hookviz.diagram.text import to_text
from hookviz.graph.graph import Graph, Node
from tests.golden import golden
from tests.graphs import EVERY_STATE_DATA, RESIDUAL_DATA, edge, every_state, graph, module, node, residual


def test_a_residual_block_is_a_tree() -> None:
    text = to_text(residual(), RESIDUAL_DATA)

    assert text == golden("residual.txt", text)


def test_every_state_is_told_in_words() -> None:
    text = to_text(every_state(), EVERY_STATE_DATA)

    assert text == golden("every_state.txt", text)


def test_the_tree_before_any_run_has_no_values() -> None:
    text = to_text(graph(module("fc1", detail="784→256"), module("relu", "ReLU", "")), {})

    assert text == "Model\n├─ fc1  Linear  784→256\n└─ relu  ReLU"


def test_a_module_has_its_own_shape_whatever_a_view_made_of_it_afterwards() -> None:
    text = to_text(graph(module("fc", shape=(8, 4)), node("op", "relu"), edges=(edge("module:fc", "op:relu", 32),)), {})

    assert text == "Model\n├─ fc  Linear  16→10 · 170 params  8×4\n└─ relu"


def test_a_group_stands_where_its_first_node_does() -> None:
    drawn = residual()

    lines = to_text(Graph(drawn.title, drawn.nodes, drawn.groups, (), is_traced=False), {}).splitlines()

    assert [line.split()[1] for line in lines[1:4]] == ["x", "conv1", "layer1"]
    assert lines[4].startswith("│  ├─ conv1")


def test_names_cannot_break_out_of_their_line() -> None:
    text = to_text(graph(Node("n", "module", "n", "a\nb", "\u202eevil", "\x1b[31m"), node("input", "y" * 10_000)), {})

    assert len(text.splitlines()) == 3
    assert r"a\nb  \u202eevil  \x1b[31m" in text
    assert max(map(len, text.splitlines())) < 100


def test_a_long_line_loses_the_end_of_its_detail_and_keeps_its_counts() -> None:
    row = replace(
        module("layers.0", "TransformerEncoderLayer", "2,224 params each · values of 0"),
        name="0 … 11",
        repeats=12,
        calls=2,
    )

    text = to_text(graph(row), {})

    assert text.splitlines()[1] == "└─ 0 … 11  TransformerEncoderLayer  ×12 alike · ×2  2,224 params each · va…"


def test_a_class_of_a_long_name_leaves_room_for_counts_and_the_beginning_of_the_detail() -> None:
    row = replace(module("fc", "AVeryLongNameOfAClass" * 4, "16→10 · 170 params · in place"), calls=3)

    text = to_text(graph(row), {})

    assert text.splitlines()[1] == "└─ fc  AVeryLongNameOfAClassAVeryLongNameOfAClassAVe…  ×3  16→10 · 170 par…"


def test_wide_letters_keep_the_columns_straight() -> None:
    drawn = graph(module("한국어", detail=""), module("fc", detail=""))

    text = to_text(
        drawn, {"module:한국어": EVERY_STATE_DATA["module:captured"], "module:fc": RESIDUAL_DATA["module:conv1"]}
    )

    first, second = (line.index("▁") for line in text.splitlines()[1:])
    assert second - first == 3


def test_a_large_model_ends_with_a_count() -> None:
    lines = to_text(graph(*(module(f"fc{i}") for i in range(512))), {}).splitlines()

    assert len(lines) == 200
    assert lines[-1] == "… 314 more"
