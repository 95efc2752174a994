"""The call seam: where a call of a watched module is noticed, with nothing registered on it.

``nn.Module.__call__`` asks the attribute ``_compiled_call_impl`` first (torch 2.1 and later; it is
what ``Module.compile`` sets), and PyTorch drops it on pickle and deepcopy. A seam stands there on
the instance. It is not a hook: the module's hook dicts stay empty, so fused inference paths,
``torch.jit.script`` and user code that looks for hooks see an untouched module.
"""

from __future__ import annotations

import gc
import sys
import types
import weakref
from collections.abc import Callable, Iterable
from typing import Any, Protocol

import torch
from torch import nn

Call = Callable[..., Any]

ATTRIBUTE = "_compiled_call_impl"


class Watcher(Protocol):
    """Who is told of the calls of a module."""

    def call(self, module: nn.Module, path: str, inner: Call, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call ``inner(*args, **kwargs)`` and return what it returned."""


class CallSeam:
    """Stands in a module's ``_compiled_call_impl`` and leads its calls past the watchers."""

    __slots__ = ("__weakref__", "_module", "compiled", "inside", "watchers")

    def __init__(self, module: nn.Module, compiled: Call | None) -> None:
        self._module = weakref.ref(module)
        self.compiled = compiled
        """What ``Module.compile`` had put there before, None for an ordinary module."""
        self.watchers: tuple[tuple[Watcher, str], ...] = ()
        self.inside: dict[Watcher, Seams] = {}
        """For each watcher, the seams that a call of this module leads through; see ``lift``."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the module, past its watchers."""
        __tracebackhide__ = True
        if _compiler._is_compiling_flag or _callback() is not None:
            # Dynamo and export trace through here, or run what they could not trace: as if there were no seam.
            return self._module()._call_impl(*args, **kwargs)  # type: ignore[union-attr]  # it is alive: it is called
        # A DataParallel replica is a copy of __dict__, seam included: only the caller knows who is called.
        module: nn.Module = sys._getframe(1).f_locals["self"]
        inner: Call = module._call_impl if self.compiled is None else self.compiled
        if module is not self._module():
            return module._call_impl(*args, **kwargs)
        watchers = self.watchers
        if len(watchers) > 1:
            for watcher, path in watchers[1:]:
                inner = _through(watcher, module, path, inner)
        watcher, path = watchers[0]
        return watcher.call(module, path, inner, args, kwargs)

    # torch.jit.script tries to compile an attribute that is a function and leaves it out where that
    # fails; any other object it refuses. It asks isinstance(), which asks this.
    @property  # type: ignore[misc]  # read-only is what is wanted
    def __class__(self) -> type:
        """What isinstance() takes it for."""
        return types.FunctionType

    # Where a module has hooks, dynamo follows its __call__ and meets the seam. This private attribute of
    # torch 2.13 tells it what to follow instead; without it, it raises on a function that has no code.
    @property
    def _torchdynamo_inline(self) -> Call:
        """The module's own way to be called."""
        module = self._module()
        assert module is not None, "it is the module that is called"
        return module._call_impl

    # Pickled or copied with a __dict__ that bypasses Module.__getstate__ (GraphModule, a user's own
    # __getstate__), the seam becomes None: the value that nn.Module has for it.
    def __reduce__(self) -> tuple[type, tuple[()]]:
        return type(None), ()

    def __deepcopy__(self, memo: dict[int, Any]) -> None:
        return None

    def __copy__(self) -> None:
        return None


def inside(entry: CallSeam, called: Iterable[object]) -> Seams:
    """What ``lift`` may take off: the seams that were called, without the entry's own and those of compiled modules."""
    seams = (seam for seam in called if type(seam) is CallSeam)
    return tuple((seam._module, seam) for seam in seams if seam is not entry and seam.compiled is None)


def _through(watcher: Watcher, module: nn.Module, path: str, inner: Call) -> Call:
    def call(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        return watcher.call(module, path, inner, args, kwargs)

    return call


def _dynamo_callback() -> object:
    """Older versions of torch without this question: no dynamo is taken to be at work."""
    return None


_eval_frame = getattr(torch._C._dynamo, "eval_frame", None)
_callback: Call = getattr(_eval_frame, "get_eval_frame_callback", _dynamo_callback)
"""Gives something where dynamo looks at each frame that runs: it must not take a seam for one to compile."""

# The flag that torch.compiler.is_compiling() returns; the function takes five times as long where it is cold.
_compiler = torch.compiler


def _skip_own_frames() -> None:
    """Tell dynamo never to compile the seam's own code; a private way, tried on torch 2.13."""
    try:
        frames: Any = _eval_frame
        strategy = frames._FrameExecStrategy(frames._FrameAction.SKIP, frames._FrameAction.DEFAULT)
        frames.set_code_exec_strategy(CallSeam.__call__.__code__, strategy)
    except (AttributeError, TypeError):
        return


_skip_own_frames()

Seams = tuple[tuple["weakref.ref[nn.Module]", CallSeam], ...]
"""Seams with their modules."""

SEAM_CODE = frozenset({CallSeam.__call__.__code__, _through.__code__})


def install(module: nn.Module, watcher: Watcher, path: str) -> None:
    """Let ``watcher`` lead the calls of a module; again with another path replaces the path.

    Side effect: ``module.__dict__["_compiled_call_impl"]`` holds a ``CallSeam`` until ``remove``.
    """
    current = module.__dict__.get(ATTRIBUTE)
    if type(current) is not CallSeam:
        current = CallSeam(module, current)
        module.__dict__[ATTRIBUTE] = current
    elif current.watchers == ((watcher, path),):
        return
    others = tuple(entry for entry in current.watchers if entry[0] is not watcher)
    current.watchers = (*others, (watcher, path))


def remove(module: nn.Module, watcher: Watcher) -> None:
    """Undo ``install``; the module's own compiled call, if it had one, is put back."""
    seam = module.__dict__.get(ATTRIBUTE)
    if type(seam) is not CallSeam:
        return
    rest = tuple(entry for entry in seam.watchers if entry[0] is not watcher)
    seam.watchers = rest
    seam.inside.pop(watcher, None)
    if rest:
        return
    if seam.compiled is not None:
        module.__dict__[ATTRIBUTE] = seam.compiled
    else:
        del module.__dict__[ATTRIBUTE]


def lift(seams: Seams) -> None:
    """Take seams off their modules until ``put_back``; those that several watchers share stay."""
    for reference, seam in seams:
        module = reference()
        if module is not None and len(seam.watchers) == 1:
            attributes = module.__dict__
            if attributes.get(ATTRIBUTE) is seam:
                attributes[ATTRIBUTE] = None


def put_back(seams: Seams) -> None:
    """Undo ``lift``, but where the watcher has gone or something else came to the seam's place meanwhile."""
    for reference, seam in seams:
        module = reference()
        if module is not None and seam.watchers:
            attributes = module.__dict__
            if attributes.get(ATTRIBUTE) is None:
                attributes[ATTRIBUTE] = seam


def is_wrapped_by_compiler(model: nn.Module) -> bool:
    """True if somebody holds the result of ``torch.compile(model)``, whose calls no seam notices.

    The wrapper knows the model, not the other way round, so the objects that refer to the model are
    searched: some milliseconds.
    """
    if "torch._dynamo.eval_frame" not in sys.modules:
        return False
    return any(type(owner) is dict and owner.get("_orig_mod") is model for owner in gc.get_referrers(model))


def is_compiled(module: nn.Module) -> bool:
    """True if the module runs compiled code, whose inside nobody can observe."""
    current = module.__dict__.get(ATTRIBUTE)
    if type(current) is CallSeam:
        current = current.compiled
    return current is not None or isinstance(module, torch.jit.ScriptModule) or "_orig_mod" in module._modules
