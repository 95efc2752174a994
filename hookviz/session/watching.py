"""``hookviz.watch``: one session for one model."""

from __future__ import annotations

import weakref
from collections.abc import Sequence

from torch import nn

from hookviz.errors import NotAModelError
from hookviz.hooks.paths import Pattern
from hookviz.session.options import WatchOptions, as_patterns
from hookviz.session.session import Session

_sessions: dict[int, tuple[weakref.ref[nn.Module], Session]] = {}
"""The newest session of each living model, by the model's id(): a session lives as long as its model does.

Not a WeakKeyDictionary: a module may define ``__eq__`` and then has no hash.
"""


def watch(
    model: nn.Module,
    *,
    only: Pattern | Sequence[Pattern] | None = None,
    exclude: Pattern | Sequence[Pattern] | None = None,
    inputs: bool = False,
    gradients: bool = True,
    keep_bytes: int = 256 * 2**20,
    overhead: float = 0.05,
    every: int | None = None,
    exact: bool = False,
    history: int = 200,
) -> Session:
    """Record what flows through a model in your own runs, from now on.

    A model that is watched already with the same options has the same session; with other options
    its old session is closed. Nothing changes for the model: outputs, gradients and random numbers
    are bit for bit the same.

    Args:
        model: The model; it is held weakly, so keep a name on it.
        only: Modules to capture: paths, patterns (``"layer4.*"``) or module classes.
        exclude: Modules to leave out.
        inputs: Whether to capture what modules receive, too.
        gradients: Whether to capture the gradients of outputs and inputs when backward runs.
        keep_bytes: How many bytes of tensors are kept; statistics are always kept.
        overhead: Share of the time that capturing may take; runs are left out to stay below it.
        every: Capture each n-th run instead, whatever it costs.
        exact: Whether to find the gradient of each input through each call alone; takes longer.
        history: How many captured runs the history remembers.

    Raises:
        NotAModelError: if this is not a module instance.
        PatternError: if a pattern matches no module.
        LimitError: if a limit lies outside of its range.
    """
    if isinstance(model, type) and issubclass(model, nn.Module):
        raise NotAModelError(
            f"{model.__name__} is a module class, not a model. Watch an instance: watch({model.__name__}(...))."
        )
    if not isinstance(model, nn.Module):
        raise NotAModelError(f"A model is an instance of torch.nn.Module; got {type(model).__name__}.")
    options = WatchOptions(
        as_patterns(only), as_patterns(exclude), inputs, gradients, keep_bytes, overhead, every, exact, history
    )
    known = session_of(model)
    if known is not None and known.options == options:
        return known
    # Made before the old one is closed: if an option is bad, the old session goes on.
    session = Session(model, options)
    if known is not None:
        known.close()
    identity = id(model)
    this = weakref.ref(session)
    _sessions[identity] = (weakref.ref(model, lambda _: _forget(identity, this())), session)
    return session


def session_of(model: object) -> Session | None:
    """The open session of a model, None if it is not watched."""
    reference, session = _sessions.get(id(model), (None, None))
    is_its = reference is not None and reference() is model
    return session if is_its and session is not None and session.is_open else None


def _forget(identity: int, session: Session | None) -> None:
    """A model is gone, and its session with it; the place may belong to another model by now."""
    if session is not None and _sessions.get(identity, (None, None))[1] is session:
        del _sessions[identity]
