"""What a widget shows at one moment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from hookviz.widget.colour_wire import ColoursWire
    from hookviz.widget.graph_wire import CardWordsWire, GraphWire
    from hookviz.widget.health_wire import HealthWire
    from hookviz.widget.hook_wire import HookStatesWire, ListedHookWire
    from hookviz.widget.step_wire import PlaybackWire
    from hookviz.widget.wire import StatusWire, SwitchWire


@dataclass(frozen=True, slots=True)
class Scene:
    """All that a view shows at one moment; its fields are the widgets' traits."""

    svg: str
    graph: GraphWire
    numbers: bytes
    node_data: dict[str, CardWordsWire]
    status: StatusWire
    switches: list[SwitchWire]
    health: HealthWire
    hooks: list[ListedHookWire]
    hook_states: HookStatesWire
    selected: str
    expanded: list[str]
    colour_by: str
    colours: ColoursWire
    playback: PlaybackWire


class View(Protocol):
    """What shows scenes: a widget."""

    def show(self, scene: Scene) -> None:
        """Show this scene instead of the last one."""
