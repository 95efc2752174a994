"""Whether the model is at work right now, in whichever thread."""

from __future__ import annotations

import sys
import threading
from types import CodeType, FrameType

import torch
from torch.autograd import graph

from hookviz.hooks.seam import CallSeam

_FORWARD = CallSeam.__call__.__code__
_BACKWARD = graph._engine_run_backward.__code__


def is_at_work() -> bool:
    """True while any thread is in a call of a watched module or in a backward pass.

    A backward pass tells only its own thread that it goes on, so the threads' frames are looked through,
    some microseconds: the price is paid where a hook is switched, not in the model's calls.
    """
    return torch._C._current_graph_task_id() != -1 or any(_is_in_run(frame) for frame in sys._current_frames().values())


def is_in_backward() -> bool:
    """True while any thread is in a backward pass."""
    frames = sys._current_frames().values()
    return torch._C._current_graph_task_id() != -1 or any(_is_in(frame, (_BACKWARD,)) for frame in frames)


def is_at_work_elsewhere() -> bool:
    """The same of all threads but this one."""
    here = threading.get_ident()
    return any(_is_in_run(frame) for thread, frame in sys._current_frames().items() if thread != here)


def _is_in_run(frame: FrameType) -> bool:
    return _is_in(frame, (_FORWARD, _BACKWARD))


def _is_in(innermost: FrameType, codes: tuple[CodeType, ...]) -> bool:
    frame: FrameType | None = innermost
    while frame is not None:
        # Comparing code objects by == would compare what they contain.
        if any(frame.f_code is code for code in codes):
            return True
        frame = frame.f_back
    return False
