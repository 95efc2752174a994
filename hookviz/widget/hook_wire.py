"""What crosses between Python and the browser about hooks; see ``wire`` for the rest and its rules."""

from typing import Literal, TypedDict

from hookviz.widget.summary_wire import SummaryWire

HookSide = Literal["input", "output", "gradient", "parameter", "other"]
"""Where a hook's pill stands: pre-hooks on the input side, forward hooks on the output side, gradients
in amber, hooks on parameters; ``other`` has no pill (state_dict kinds, global hooks)."""
Outcome = Literal["", "observed", "changed", "did not act", "raised"]
"""What a hook did in the shown run: did not run, left the value equal, changed it, was not meant to act, raised."""
InterventionName = Literal["zero", "scale", "add", "clamp", "noise", "replace"]
Target = Literal["output", "input", "grad_output", "grad_input"]


class PillWire(TypedDict):
    """A hook's mark on a card; see ``graph.Pill``. Its state is that of the hooks of trait ``hooks``."""

    hook_ids: list[str]
    """One hook, or several that share the last pill where a card has too many."""
    text: str
    side: HookSide
    title: str
    """What the pointer shows over it in a picture without a kernel."""


class ListedHookWire(TypedDict):
    """A value of trait ``hooks``: one hook on the model, in the order in which they run; see ``hooks.Hook``."""

    id: str
    kind: str
    path: str
    node_ids: list[str]
    """Ids of the nodes that carry its pill: its module's, whatever is folded; the browser takes those that it draws."""
    label: str
    source: str
    owner: Literal["hookviz", "user", "other"]
    flags: list[str]
    side: HookSide
    protected: str
    """Why it cannot be switched, else empty."""
    removable: bool
    about: str
    """One line that explains its kind to a learner: what it receives, what it may return, when it runs."""


class HookStateWire(TypedDict):
    """What of a hook changes from run to run."""

    enabled: bool
    pending: bool
    """Its switch waits for the end of the present run."""
    fired: int
    """How often it ran in the shown run and its backward passes."""
    outcome: Outcome
    note: str
    """One line for the hover: what it did last (``(1.5, 0.5) → (0.75, 0.25)``), or why it has not run yet."""


class HookWire(ListedHookWire, HookStateWire):
    """All that is told of one hook."""


class HookStatesWire(TypedDict):
    """Trait ``hook_states``: thousands of hooks have a few states between them."""

    states: list[HookStateWire]
    """The different ones."""
    of: list[int]
    """Which of them each hook of trait ``hooks`` has."""


class EffectEntryWire(TypedDict):
    """One tensor that a hook was given, before and after it."""

    label: str
    before: SummaryWire | None
    after: SummaryWire | None
    """None where the hook left it as it was."""
    before_values: str
    """The values themselves where there are at most 8, ``(1.5, 0.5)``; else empty."""
    after_values: str
    difference: str
    """``mean changed by +5, largest change 5``; empty where nothing changed."""
    note: str


class EffectWire(TypedDict):
    """What one hook did in one call; the effects of a call come in the order in which the hooks ran."""

    hook_id: str
    order: int
    outcome: Outcome
    text: str
    """``returned None``, ``replaced the output``, ``edited the output in place``, ``raised ValueError: …``."""
    entries: list[EffectEntryWire]


class HooksTabWire(TypedDict):
    """Reply to ``effects``: the hooks at a node and what each did in one call of the shown run."""

    node_id: str
    call: int
    hook_ids: list[str]
    """All hooks at the node, parameters' too, in the order in which they run."""
    effects: list[EffectWire]
    targets: list[Target]
    """What an intervention may act on here; empty where none can be made."""
    replacements: list[str]
    """Runs whose output at this node may be put in its place, newest first: ``run 12``."""


class HookSwitchCommand(TypedDict):
    """Hooks on or off; acts from the next run. Those that could not be switched are told in the reply."""

    id: int
    command: Literal["hook_switch"]
    hook_ids: list[str]
    enabled: bool


class RefusedWire(TypedDict):
    """A hook that was not switched, and why."""

    hook_id: str
    reason: str


class HookSwitchWire(TypedDict):
    """Reply to ``hook_switch``."""

    refused: list[RefusedWire]


class HookRemoveCommand(TypedDict):
    """Take a hook off that was written through the session."""

    id: int
    command: Literal["hook_remove"]
    hook_id: str


class EffectsCommand(TypedDict):
    """What the hooks at a node did in one call of the shown run."""

    id: int
    command: Literal["effects"]
    node_id: str
    call: int


class InterveneCommand(TypedDict):
    """Add a named change at a module; acts from the next run."""

    id: int
    command: Literal["intervene"]
    node_id: str
    intervention: InterventionName
    target: Target
    arguments: dict[str, float | str]
    """By the names of its fields: ``{"factor": 0.5}``, ``{"low": -1, "high": 1}``, ``{"run": "run 12"}``."""
    at: str
    """A slice as one writes it, ``[:, 0]``; empty for the whole tensor."""


class InterveneWire(TypedDict):
    """Reply to ``intervene``."""

    hook_id: str
