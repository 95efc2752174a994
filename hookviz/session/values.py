"""The live lines of the cards: what the last captured run says about each node."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from hookviz.capture.call import NO_BACKWARD, ModuleCall
from hookviz.capture.capture import Capture
from hookviz.capture.first_line import is_interrupt
from hookviz.capture.histogram import Histogram
from hookviz.capture.plain import is_plain, plain_text
from hookviz.capture.run import Run
from hookviz.capture.together import summarize_together
from hookviz.diagram.typography import clip
from hookviz.graph.graph import Graph, Node
from hookviz.graph.node_data import CardNumbers, NodeData
from hookviz.session.switches import Switch
from hookviz.session.troubles import Troubles

BLOCKS = "▁▂▃▄▅▆▇█"
HIGHEST = len(BLOCKS) - 1
SPARK_WIDTH = 8
VALUE_WIDTH = 19
PLAIN_COLUMNS = 18
"""Longer texts of values without tensors are shortened in the card, and whole on hover."""


def node_data_of(
    graph: Graph,
    run: Run | None,
    troubles: Troubles | None,
    *,
    module_id: Callable[[str], int | None],
    is_enabled: Callable[[Switch, str], bool],
    is_compiled: Callable[[str], bool],
    why_not_called: Callable[[str], str],
) -> dict[str, NodeData]:
    """What each module node and each group shows, by id, and what made the first NaN where that is another node.

    Args:
        graph: The visible graph.
        run: The run to show, None before the first.
        troubles: What is not finite in it, None where it is not known.
        module_id: The id() of the module at a path.
        is_enabled: Whether a kind of capture ("outputs", "gradients") is on for a path.
        is_compiled: Whether the module at a path runs compiled code.
        why_not_called: Why the run did not call the module at a path.
    """
    places = {node.id: node.path for node in graph.nodes if node.kind == "module"}
    places |= {group.id: group.path for group in graph.groups}
    last: dict[str, ModuleCall] = {}
    for node_id, path in places.items():
        identity = module_id(path)
        calls = run.of_module(identity) if run is not None and identity is not None else []
        if calls:
            last[node_id] = calls[-1]
    summarize_together(output for output in map(_output, last.values()) if output is not None)
    found: dict[str, NodeData] = {}
    never_called = {group.id for group in graph.groups if group.calls == 0}
    for node_id, path in places.items():
        call = last.get(node_id)
        if call is not None and run is not None:
            trouble = "" if troubles is None else troubles.at(call, path)
            data = _of_call(call, run.failed_path, trouble, path, is_enabled)
        else:
            is_off = not (is_enabled("outputs", path) or is_enabled("gradients", path))
            data = NodeData(
                state="off" if is_off else "idle",
                note="" if run is None or node_id in never_called else why_not_called(path),
            )
        if is_compiled(path):
            data = replace(data, state="unobservable", note="compiled: not observable")
        found[node_id] = data
    if run is not None and troubles is not None:
        for node in graph.nodes:
            if node.members and not found[node.id].trouble:
                found[node.id] = _with_others(found[node.id], node, run, troubles, module_id)
    if troubles is not None:
        found |= {node_id: NodeData("captured", trouble=text) for node_id, text in troubles.at_nodes(graph).items()}
    return found


def _with_others(
    data: NodeData, node: Node, run: Run, troubles: Troubles, module_id: Callable[[str], int | None]
) -> NodeData:
    """What a row of identical siblings shows: the values of the first, and the trouble of whichever has one."""
    for path in node.members[1:]:
        identity = module_id(path)
        calls = run.of_module(identity) if identity is not None else []
        if not calls:
            continue
        name = path.rpartition(".")[2]
        if calls[-1].failed:
            ended = _of_failed(calls[-1], run.failed_path, path)
            if ended.trouble:
                return replace(data, state="failed", trouble=f"{name}: {ended.trouble}")
            return replace(data, note=f"{name}: {ended.note}")
        if trouble := troubles.at(calls[-1], path):
            return replace(data, trouble=f"{name}: {trouble}")
    return data


def _of_failed(call: ModuleCall, failed_path: str | None, path: str) -> NodeData:
    """The error stands at the innermost module that raised it; those around it only say where.

    An interrupt is nothing red.
    """
    is_here = path == failed_path
    if is_interrupt(call.failed):
        return NodeData(note="interrupted here" if is_here else f"interrupted in {failed_path}")
    return NodeData(state="failed", trouble=call.failed if is_here else f"raised in {failed_path}")


def _of_call(
    call: ModuleCall,
    failed_path: str | None,
    trouble: str,
    path: str,
    is_enabled: Callable[[Switch, str], bool],
) -> NodeData:
    if call.failed:
        return _of_failed(call, failed_path, path)
    output = _output(call)
    gradient = _first(call.output_gradients())
    is_off = output is None and not is_enabled("outputs", path)
    why = "" if gradient is not None else next((reason for _, _, reason in call.entries("grad_output") if reason), "")
    notes = [note for note in (*call.notes, why) if note and note != NO_BACKWARD]
    is_there = not is_off and call.returned >= 0
    plain = plain_text(call.output_skeleton) if is_there and is_plain(call.output_skeleton) else ""
    if len(plain) > PLAIN_COLUMNS:
        notes.insert(0, f"returned {plain}")
    return NodeData(
        state="off" if is_off else "captured",
        spark="" if output is None else spark(output.summary.histogram),
        value=value_line(output) if output is not None else plain,
        gradient="" if gradient is None else gradient_line(gradient),
        trouble=trouble,
        note="outputs off" if is_off else "; ".join(dict.fromkeys(notes)),
        numbers=CardNumbers(
            mean=None if output is None else output.moments.mean,
            std=None if output is None else output.moments.std,
            norm=None if gradient is None else gradient.moments.norm,
        ),
    )


def _output(call: ModuleCall) -> Capture | None:
    return _first(call.output_captures)


def _first(captures: Sequence[Capture | None]) -> Capture | None:
    # A loop, not a generator: it takes a third of the time.
    for capture in captures:
        if capture is not None:
            return capture
    return None


def value_line(capture: Capture) -> str:
    """Mean and standard deviation, three digits each: ``+1.20e-02 ±5.70e-01``, 19 characters; of one number, itself."""
    moments = capture.moments
    if moments.mean is None:
        # What explains it, as after "holds no values:", has its place in the inspector.
        return clip(moments.note.partition(":")[0], VALUE_WIDTH)
    spread = "" if moments.std is None else f" ±{_number(moments.std)}"
    return f"{_number(moments.mean, sign='+')}{spread}".ljust(VALUE_WIDTH)


def gradient_line(capture: Capture) -> str:
    """The norm of a gradient, ``∇ 3.10e-03``: 10 characters."""
    return f"∇ {_number(capture.moments.norm)}"


def _number(value: float | None, sign: str = "") -> str:
    """Three digits, or a word as it stands elsewhere: ``NaN``, ``-Inf``."""
    if value is None:
        return "–"
    if math.isnan(value):
        return "NaN"
    return f"{value:{sign}.2e}" if math.isfinite(value) else f"{value:{sign}}".replace("inf", "Inf")


def spark(histogram: Histogram | None) -> str:
    """A histogram as eight block characters, empty where there is none."""
    if histogram is None:
        return ""
    counts = histogram.counts
    if len(counts) == 1:
        return BLOCKS[0] * 3 + BLOCKS[-1] + BLOCKS[0] * 4
    per_block = len(counts) // SPARK_WIDTH
    sums = [sum(part) for part in zip(*[iter(counts)] * per_block, strict=True)]
    most = max(sums)
    # A list, not a generator: a picture has a thousand of these, ten times a second.
    return "".join([BLOCKS[round(count / most * HIGHEST)] for count in sums])
