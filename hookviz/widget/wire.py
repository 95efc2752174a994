"""What crosses between Python and the browser, spelled alike on both sides.

``frontend/src/wire.ts`` repeats these types; ``tests/wire/*.json`` holds one example of each that
both test suites read. State that a re-opened view needs travels as traits. An action is a custom
message ``{"id", "command", ...}`` that is always answered by ``{"id", "reply"}`` or
``{"id", "error"}``. Names of modules are data here: the browser writes them as text only.
"""

from typing import Literal, NotRequired, TypedDict

from hookviz.diagram.direction import Direction
from hookviz.widget.compare_wire import CompareCommand, PinCommand, SwapCommand
from hookviz.widget.cost_lines import CostLineWire
from hookviz.widget.find_wire import FindCommand
from hookviz.widget.history_wire import HistoryCommand
from hookviz.widget.hook_wire import (
    EffectsCommand,
    HookRemoveCommand,
    HookSwitchCommand,
    InterveneCommand,
)
from hookviz.widget.picture_wire import SliceFields
from hookviz.widget.step_wire import HoldCommand, KeepCommand
from hookviz.widget.summary_wire import SummaryWire

Tab = Literal["output", "input", "grad_output", "grad_input", "parameters"]
Switch = Literal["outputs", "gradients", "inputs"]
View = Literal["all", "diagram", "inspector", "switches"]
SessionState = Literal["waiting", "live", "paused", "closed", "gone", "error", "recorded"]


class TroubleWire(TypedDict):
    """Where something went wrong first; a click on it unfolds what the module is in, and selects it."""

    node_id: str
    """What shows the module in the picture as it is."""
    path: str
    text: str
    is_fault: bool
    """False of an interrupt, by which the user ended the run."""


class StatusWire(TypedDict):
    """Trait ``status``: the toolbar's title and the status line."""

    state: SessionState
    """``waiting``: no run yet. ``gone``: the model no longer exists. ``error``: a fault of ours.

    ``recorded``: a page without a session shows what was recorded."""
    name: str
    parameters: str
    """Count of parameters as text, ``20.0k params``; the class of a model without parameters."""
    mode: str
    """``train``, ``eval`` or ``mixed``."""
    runs: int
    """Runs of the model since it is watched."""
    captured: int
    """How many of them were captured."""
    step: int
    """Number of the run that is shown, from 1; 0 before the first."""
    overhead: float
    """Share of the time spent in capturing over the last 20 s, 0 to 1."""
    overhead_seconds: float
    """How much of the model's time that share is of: less than 20 s at the beginning."""
    overhead_settles: bool
    """Whether it is still that of the first runs, and falls as others follow."""
    overhead_limit: float | None
    """None where a fixed interval (``every``) is set instead."""
    kept_bytes: int
    keep_bytes: int
    message: str
    """One sentence on what the user should know, else empty."""
    trouble: TroubleWire | None


class SwitchWire(TypedDict):
    """A value of trait ``switches``: one kind of capture."""

    what: Switch
    enabled: bool
    off_paths: list[str]
    """Modules for which it is off although it is on in general."""
    note: str
    """``forward · every module``."""


class EntryWire(TypedDict):
    """One tensor of a tab: where it sits in the output, its statistics, whether its values are there."""

    label: str
    """``output``, ``output[1]``, ``output.logits``, ``weight``."""
    python: str
    """The expression that gives this value in Python: ``session["fc"].output.tensor``."""
    summary: SummaryWire | None
    kept: bool
    note: str
    """Why there is no value or no tensor, else empty."""


class InspectionWire(TypedDict):
    """Reply to ``inspect``."""

    node_id: str
    path: str
    name: str
    type_name: str
    detail: str
    calls: int
    call: int
    step: int
    tab: Tab
    tabs: list[Tab]
    """The tabs that make sense for this node."""
    notes: list[str]
    """``passes through``, ``frozen: does not require grad``, the error that its forward raised, ..."""
    costs: list[CostLineWire]
    """What the call took; empty of what is no module, and where it was not called."""
    off: list[Switch]
    """What is switched off for this module although it is on in general."""
    entries: list[EntryWire]


class InspectCommand(TypedDict):
    """What flowed at a node in one call of the shown run."""

    id: int
    command: Literal["inspect"]
    node_id: str
    call: int
    tab: NotRequired[Tab]


class PictureCommand(SliceFields):
    """A block of one entry of a tab; ``picture_wire.PictureWire`` answers it."""

    id: int
    command: Literal["picture"]
    node_id: str
    call: int
    tab: Tab
    entry: int


class FoldCommand(TypedDict):
    """Fold or unfold one container; changes the traits ``svg``, ``graph`` and ``expanded``."""

    id: int
    command: Literal["fold"]
    path: str
    expanded: bool


class RevealCommand(TypedDict):
    """Unfold all containers around a module, and select it."""

    id: int
    command: Literal["reveal"]
    path: str


class DepthCommand(TypedDict):
    """Unfold all containers down to a depth."""

    id: int
    command: Literal["depth"]
    depth: int


class DirectionCommand(TypedDict):
    """Lay out from the top to the bottom, or from left to right."""

    id: int
    command: Literal["direction"]
    direction: Direction


class BackCommand(TypedDict):
    """Lay out as before the last time that somebody folded, unfolded or turned the picture."""

    id: int
    command: Literal["back"]


class SwitchCommand(TypedDict):
    """Capture of one kind on or off, for all modules (``path`` is None) or one; acts from the next run."""

    id: int
    command: Literal["switch"]
    what: Switch
    path: str | None
    enabled: bool


class PauseCommand(TypedDict):
    """Stop or resume capturing; acts from the next run."""

    id: int
    command: Literal["pause"]
    paused: bool


class ExportCommand(TypedDict):
    """The picture as a file; its bytes come as a buffer."""

    id: int
    command: Literal["export"]
    format: Literal["svg", "png", "dot", "json", "html"]


class ExportWire(TypedDict):
    """Reply to ``export``."""

    file_name: str
    media_type: str


Command = (
    InspectCommand
    | PictureCommand
    | FoldCommand
    | RevealCommand
    | DepthCommand
    | DirectionCommand
    | BackCommand
    | SwitchCommand
    | PauseCommand
    | ExportCommand
    | HookSwitchCommand
    | HookRemoveCommand
    | EffectsCommand
    | InterveneCommand
    | FindCommand
    | HistoryCommand
    | HoldCommand
    | KeepCommand
    | PinCommand
    | SwapCommand
    | CompareCommand
)
