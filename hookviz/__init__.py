"""See what flows through a PyTorch model, and which hooks touch it.

In a notebook: ``%load_ext hookviz``, then ``%hookviz model``. In Python: ``session = hookviz.watch(model)``.
"""

import typing

from hookviz.capture.call import ModuleCall
from hookviz.capture.capture import Capture
from hookviz.capture.cost import Cost
from hookviz.capture.histogram import Histogram
from hookviz.capture.run import Run
from hookviz.capture.summary import TensorSummary
from hookviz.errors import (
    BundleMissingError,
    ClosedSessionError,
    ExportError,
    HookContractError,
    HookGoneError,
    HookvizError,
    InterventionError,
    LimitError,
    ModelGoneError,
    NoNotebookError,
    NotAModelError,
    NotCapturedError,
    NotFiniteError,
    NotKeptError,
    OptionError,
    PackageError,
    PandasMissingError,
    PatternError,
    ProtectedHookError,
    RenderError,
    UnknownMarkError,
    UnknownModuleError,
    UnknownStepError,
)
from hookviz.graph.colouring import Colouring
from hookviz.health.finding import Finding
from hookviz.hooks.hook import Hook
from hookviz.hooks.interventions import Add, Clamp, Intervention, Noise, Replace, Scale, Zero
from hookviz.package import Package
from hookviz.session import ModuleView, ParameterView, Session, watch
from hookviz.session.forms import RECORDERS as _RECORDERS

if typing.TYPE_CHECKING:
    import torch
    from IPython.core.interactiveshell import InteractiveShell
    from torch import nn

    from hookviz.diagram.direction import Direction
    from hookviz.graph.colour_by import ColourBy

__version__ = "0.1.0"

__all__ = [
    "Add",
    "BundleMissingError",
    "Capture",
    "Clamp",
    "ClosedSessionError",
    "Colouring",
    "Cost",
    "ExportError",
    "Finding",
    "Histogram",
    "Hook",
    "HookContractError",
    "HookGoneError",
    "HookvizError",
    "Intervention",
    "InterventionError",
    "LimitError",
    "ModelGoneError",
    "ModuleCall",
    "ModuleView",
    "NoNotebookError",
    "Noise",
    "NotAModelError",
    "NotCapturedError",
    "NotFiniteError",
    "NotKeptError",
    "OptionError",
    "Package",
    "PackageError",
    "PandasMissingError",
    "ParameterView",
    "PatternError",
    "ProtectedHookError",
    "RenderError",
    "Replace",
    "Run",
    "Scale",
    "Session",
    "TensorSummary",
    "UnknownMarkError",
    "UnknownModuleError",
    "UnknownStepError",
    "Zero",
    "load_ipython_extension",
    "show",
    "unload_ipython_extension",
    "watch",
]


# The widget and the magics are imported where they are used: a script needs neither IPython nor anywidget.


def show(
    target: "Session | nn.Module | torch.Tensor",
    *,
    depth: int | None = None,
    direction: "Direction | None" = None,
    colour_by: "ColourBy | None" = None,
    **options: typing.Any,
) -> None:
    """Show a session, or watch a model and show that, or look at a tensor.

    In a notebook this is the live widget with a static picture below, which the widget hides. In IPython
    without a notebook, the diagram is printed as text. A tensor is shown as it is now: its values, its
    gradient, the hooks on it and what it was computed from.

    Args:
        target: What to show; of a tensor, the arguments that follow mean nothing.
        depth: Unfold the containers down to this depth; by default as far as is well readable.
        direction: ``"TB"``, from the top to the bottom, or ``"LR"``, from left to right; by default that in which
            the whole can be seen larger.
        colour_by: The number that cards are coloured by, as for ``Session.colouring``; by default as before, which is
            by none at first.
        options: Of ``hookviz.watch``, where a model is given.

    Raises:
        NoNotebookError: outside of IPython.
        NotAModelError: if it is nothing of these.
        OptionError: if it is no depth, no direction or nothing to colour by, or if options of ``watch`` are given
            with a session, which has its own.
    """
    from hookviz.magic import display

    display.show(target, depth=depth, direction=direction, colour_by=colour_by, **options)


def _to_json(session: Session, depth: int | None, _direction: "Direction | None", _colour_by: "ColourBy | None") -> str:
    from hookviz.widget import document

    return document.to_json(session, depth)


def _to_html(session: Session, depth: int | None, direction: "Direction | None", colour_by: "ColourBy | None") -> str:
    from hookviz.widget import page, recording

    return page.page_of(recording.record(session, depth, direction=direction, colour_by=colour_by))


_RECORDERS.update({".json": _to_json, ".html": _to_html})


def load_ipython_extension(shell: "InteractiveShell") -> None:
    """What ``%load_ext hookviz`` calls."""
    from hookviz.magic import extension

    extension.load_ipython_extension(shell)


def unload_ipython_extension(shell: "InteractiveShell") -> None:
    """What ``%unload_ext hookviz`` calls: closes all sessions and takes the magics away."""
    from hookviz.magic import extension

    extension.unload_ipython_extension(shell)
