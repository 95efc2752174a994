"""The live lines of all cards as they cross to the browser: the numbers in one buffer, and the words there are.

Text that Python writes would cross as JSON, which the running cell would pay for in each update.
``frontend/src/card-lines.ts`` writes the same lines from the numbers.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from typing import Final, get_args

from hookviz.graph.graph import Graph
from hookviz.graph.node_data import NodeData, NodeState
from hookviz.widget.graph_wire import CardWordsWire

ROW: Final = struct.Struct("<BB8s3d")
"""One card: its state, which of the rest there is, the blocks of its histogram, mean, deviation, norm of gradient.

Float64, since float32 has neither the range nor always the same three digits.
"""

STATES: Final = {state: number for number, state in enumerate(get_args(NodeState))}
HAS_MEAN, HAS_STD, HAS_NORM, HAS_SPARK = 1, 2, 4, 8
LOWEST_BLOCK = ord("▁")

_HEIGHT: Final = bytes((byte - LOWEST_BLOCK) % 256 for byte in range(256))
"""From the lower byte of a block character to its height, from 0."""

_BLANK: Final = ROW.pack(0, 0, bytes(8), 0.0, 0.0, 0.0)


def cards_to_wire(graph: Graph, node_data: Mapping[str, NodeData]) -> tuple[bytes, dict[str, CardWordsWire]]:
    """A row for each node and then each group of a graph; and what words there are, by id."""
    rows, words = [], {}
    for node_id in _ids(graph):
        data = node_data.get(node_id)
        if data is None:
            rows.append(_BLANK)
            continue
        rows.append(_row(data))
        said = _words(data)
        if said:
            words[node_id] = said
    return b"".join(rows), words


def _ids(graph: Graph) -> Iterable[str]:
    yield from (node.id for node in graph.nodes)
    yield from (group.id for group in graph.groups)


def _row(data: NodeData) -> bytes:
    mean, std, norm = data.numbers.mean, data.numbers.std, data.numbers.norm
    there = HAS_MEAN * (mean is not None) | HAS_STD * (std is not None) | HAS_NORM * (norm is not None)
    there |= HAS_SPARK * bool(data.spark)
    # All blocks have the same upper byte.
    blocks = data.spark.encode("utf-16-le")[::2].translate(_HEIGHT)
    numbers = [0.0 if number is None else number for number in (mean, std, norm)]
    return ROW.pack(STATES[data.state], there, blocks, *numbers)


def _words(data: NodeData) -> CardWordsWire:
    words: CardWordsWire = {}
    if data.value and data.numbers.mean is None:
        words["value"] = data.value
    if data.gradient and data.numbers.norm is None:
        words["gradient"] = data.gradient
    if data.trouble:
        words["trouble"] = data.trouble
    if data.note:
        words["note"] = data.note
    return words
