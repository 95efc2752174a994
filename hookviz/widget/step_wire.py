"""What crosses about captured steps; ``frontend/src/step-wire.ts`` repeats these types."""

from typing import Literal, TypedDict

from hookviz.widget.compare_wire import PlaceWire


class PlaybackWire(TypedDict):
    """Trait ``playback``: which captured steps there are, and which of them is shown."""

    steps: list[int]
    """Those that can be shown, oldest first."""
    held: int | None
    """The past step that is shown for as long as nobody goes on; None while the newest is."""
    newest: int
    """0 before the first run."""
    note: str
    """What is not as it was in the picture of the held step, else empty."""
    part: str
    """Path of the part of the model that the shown run was of, called by itself; empty for the whole model."""
    whole: int | None
    """The newest step of the whole model that returned, where the shown one is of a part and there is such a step."""
    kept_first: list[str]
    """Paths of the modules whose tensors somebody asked to keep."""
    pinned: PlaceWire | None
    """What others are compared with, None if nothing is."""


class HoldCommand(TypedDict):
    """Show a captured step until another command; None goes back to the newest."""

    id: int
    command: Literal["hold"]
    step: int | None


class KeepCommand(TypedDict):
    """Keep the tensors of a module before all others, from the next run on, or no longer."""

    id: int
    command: Literal["keep"]
    node_id: str
    call: int
    tab: str
    entry: int
    kept: bool


class KeepWire(TypedDict):
    """Reply to ``keep``."""

    text: str
    """What will happen, in words."""
