"""``hookviz.watch``: one session for one model."""

from __future__ import annotations

import weakref
from collections.abc import Sequence

from torch import nn

from hookviz.errors import NotAModelError
from hookviz.hooks.paths import Pattern
from hookviz.session.options import WatchOptions
from hookviz.session.session import Session


class _Watched:
    """The open session of a living model: a session lives as long as its model does, or until it is closed."""

    __slots__ = ("__weakref__", "_identity", "model", "session")

    def __init__(self, model: nn.Module, session: Session) -> None:
        self._identity = id(model)
        self.session = session
        this = weakref.ref(self)

        def gone(_model: object) -> None:
            watched = this()
            if watched is not None:
                watched.forget()

        self.model = weakref.ref(model, gone)
        session.when_closed(self.forget)

    def forget(self) -> None:
        """The model is gone, or the session is closed; the place may belong to another one by now."""
        if _sessions.get(self._identity) is self:
            del _sessions[self._identity]


_sessions: dict[int, _Watched] = {}
"""By the model's id(). Not a WeakKeyDictionary: a module may define ``__eq__`` and then has no hash."""


def watch(
    model: nn.Module,
    *,
    only: Pattern | Sequence[Pattern] | None = None,
    exclude: Pattern | Sequence[Pattern] | None = None,
    inputs: bool | None = None,
    gradients: bool | None = None,
    keep_bytes: int | None = None,
    overhead: float | None = None,
    every: int | None = None,
    exact: bool | None = None,
    history: int | None = None,
    stop_on_nan: bool | None = None,
) -> Session:
    """Record what flows through a model in your own runs, from now on.

    A model has one session. Where it is watched already, by you or by ``%hookviz``, this gives its open
    session; options that are given change it from the next run on, those that are not stay as they are.
    Nothing changes for the model: outputs, gradients and random numbers are bit for bit the same.

    Args:
        model: The model; it is held weakly, so keep a name on it.
        only: Modules to capture: paths, patterns (``"layer4.*"``), classes or their names; at first all,
            and again with ``"*"``.
        exclude: Modules to leave out; at first none, and again with ``[]``.
        inputs: Whether to capture what modules receive, too; at first False.
        gradients: Whether to capture the gradients of outputs and inputs when backward runs; at first True.
        keep_bytes: How many bytes of tensors are kept, at first 256 MB; statistics are always kept.
        overhead: Share of the time that capturing may take, at first 0.05; runs are left out to stay below it.
        every: Capture each n-th run instead, whatever it costs.
        exact: Whether to find the gradient of each input through each call alone; takes longer. Of a tensor that
            one call is given twice, it is that of both uses together. At first False.
        history: How many captured runs the history remembers, at first 200.
        stop_on_nan: Whether a run, captured or not, is stopped at the first module that returns a NaN, and its
            backward pass at the first whose output gets one as a gradient, by ``NotFiniteError``; at first False. Each
            call of a module then takes some 10 µs more, and one pass over what it returned, and so does its backward;
            no limit counts that. An infinity stops nothing, as masks are made of them, and as gradients of half
            precision may overflow in a step that a ``GradScaler`` leaves out; a NaN in such a step does stop it.

    Raises:
        NotAModelError: if this is not a module instance.
        OptionError: if an option is of a type that it cannot have.
        PatternError: if a pattern matches no module.
        LimitError: if a limit lies outside of its range.
    """
    if isinstance(model, type) and issubclass(model, nn.Module):
        raise NotAModelError(
            f"{model.__name__} is a module class, not a model. Watch an instance: watch({model.__name__}(...))."
        )
    if not isinstance(model, nn.Module):
        raise NotAModelError(f"A model is an instance of torch.nn.Module; got {type(model).__name__}.")
    known = session_of(model)
    before = WatchOptions() if known is None else known.options
    options = before.changed(
        only=only, exclude=exclude, inputs=inputs, gradients=gradients, keep_bytes=keep_bytes,
        overhead=overhead, every=every, exact=exact, history=history, stop_on_nan=stop_on_nan,
    )  # fmt: skip
    if known is not None:
        known.apply(options)
        return known
    session = Session(model, options)
    _sessions[id(model)] = _Watched(model, session)
    return session


def session_of(model: object) -> Session | None:
    """The open session of a model, None if it is not watched."""
    watched = _sessions.get(id(model))
    if watched is None or watched.model() is not model or not watched.session.is_open:
        return None
    return watched.session
