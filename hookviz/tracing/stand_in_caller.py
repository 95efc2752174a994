"""Calls a function of torch so that its warnings name the user's line, although the call comes from us."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from typing import Any, TypeAlias

import torch.overrides

Call: TypeAlias = Callable[[Any, tuple[Any, ...], dict[str, Any]], Any]
"""Calls a function with positional and keyword arguments."""

# A lambda has one line, so that its first is its only one.
_call = lambda func, args, kwargs: func(*args, **kwargs)  # noqa: E731  # a def would have two lines


class StandInCaller:
    """Calls functions from a frame that looks like the frame of who called them.

    Warnings are told with file and line of a frame, and filtered and counted by its globals: of the
    one that called for those of C++, of one further out for those of Python (``stacklevel``). Between
    a torch function mode and the user's line there are frames of the mode and of torch. The frame from
    which the function is called here has the file, the line and the globals of the user's instead.
    """

    def __init__(self) -> None:
        self._callers: dict[tuple[types.CodeType, int], Call] = {}

    def calling(self, func: Any) -> Call:
        """What calls ``func`` with given arguments; to be asked for by a mode, whose own caller is looked for."""
        frame: types.FrameType | None = sys._getframe(2)
        own = getattr(func, "__code__", None)
        # Below torch's own way to its modes: the function itself, which asked for them, and what calls them.
        while frame is not None and (frame.f_code is _DISPATCH or frame.f_code is own):
            frame = frame.f_back
        return _call if frame is None else self._as_if_in(frame)

    def clear(self) -> None:
        """Let go of the user's code."""
        self._callers.clear()

    def _as_if_in(self, frame: types.FrameType) -> Call:
        place = (frame.f_code, frame.f_lineno)
        call = self._callers.get(place)
        if call is None:
            code = _call.__code__.replace(co_filename=frame.f_code.co_filename, co_firstlineno=frame.f_lineno)
            call = self._callers[place] = types.FunctionType(code, frame.f_globals)
        return call


_DISPATCH = torch.overrides.handle_torch_function.__code__
