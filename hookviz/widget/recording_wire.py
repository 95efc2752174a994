"""What a recording holds, which answers in the kernel's place; ``frontend/src/recording-wire.ts`` repeats it."""

from typing import Final, TypedDict

from hookviz.widget.colour_wire import ColoursWire
from hookviz.widget.cost_lines import CostLineWire
from hookviz.widget.graph_wire import GraphWire, NodeDataWire
from hookviz.widget.health_wire import HealthWire
from hookviz.widget.hook_wire import HooksTabWire, HookWire
from hookviz.widget.picture_wire import PictureWire
from hookviz.widget.wire import EntryWire, StatusWire, Switch, Tab

VERSION: Final = 1


class RecordedPictureWire(PictureWire):
    """A first slice of a tensor; ``values`` times ``scale`` are its numbers, row by row."""

    scale: float
    """The largest finite magnitude: float16 alone would end at 65,504."""
    values: str
    """float16, least significant byte first, in base64."""


class RecordedEntryWire(EntryWire):
    """One tensor of a tab."""

    picture: RecordedPictureWire | None
    """None where ``kept`` is false; ``note`` then says why."""


class RecordedCallWire(TypedDict):
    """One call of a node."""

    notes: list[str]
    costs: list[CostLineWire]
    entries: dict[Tab, list[RecordedEntryWire]]
    """By tab, the parameters left out: they are those of every call."""
    hooks: HooksTabWire


class RecordedNodeWire(TypedDict):
    """What the inspector shows of one node; see ``wire.InspectionWire``."""

    path: str
    name: str
    type_name: str
    detail: str
    step: int
    tabs: list[Tab]
    off: list[Switch]
    parameters: list[RecordedEntryWire]
    calls_seen: int
    """How often it was called; ``calls`` may hold fewer."""
    calls: list[RecordedCallWire]
    """At least one: of a node that was not called, it says why."""


class RecordedSceneWire(TypedDict):
    """One layout of the diagram."""

    svg: str
    graph: GraphWire
    node_data: dict[str, NodeDataWire]
    expanded: list[str]
    health: HealthWire
    colours: dict[str, ColoursWire]
    """By the number that cards are coloured by; under empty text, that there are none."""


class RecordingWire(TypedDict):
    """All that the page shows."""

    version: int
    status: StatusWire
    hooks: list[HookWire]
    scenes: list[RecordedSceneWire]
    """From folded to unfolded."""
    opening: int
    """Which of them is shown first."""
    selected: str
    colour_by: str
    """The number that cards are coloured by at first; empty for none."""
    nodes: dict[str, RecordedNodeWire]
    """By id, all nodes and groups of the scenes."""
