"""What a test may not leave: anything of ours that outlives it in this process."""

import sys
import threading
from collections.abc import Collection, Iterator

import torch.nn.modules.module as torch_module
from torch import nn
from torch.overrides import _get_current_function_mode_stack
from torch.utils._python_dispatch import _get_current_dispatch_mode_stack

ORIGINAL_CALL = nn.Module.__call__

PATIENCE_SECONDS = 30.0
"""A thread that is about to end is fine, and a busy machine may take so long over it."""


def left_behind(threads_before: Collection[threading.Thread]) -> list[str]:
    """One sentence on each thing that is there now and should not be."""
    return [*_hooks(), *_patches(), *_modes(), *_threads(threads_before)]


def _hooks() -> Iterator[str]:
    for name, hooks in vars(torch_module).items():
        if name.startswith("_global_") and "_hooks" in name and hooks:
            yield f"global hooks in torch.nn.modules.module.{name}: {list(hooks.values())}"


def _patches() -> Iterator[str]:
    if nn.Module.__call__ is not ORIGINAL_CALL:
        yield "nn.Module.__call__ is replaced"
    if nn.Module._compiled_call_impl is not None:
        yield "the class nn.Module carries a call seam"


def _modes() -> Iterator[str]:
    for mode in [*_get_current_function_mode_stack(), *_get_current_dispatch_mode_stack()]:
        yield f"an active mode: {mode!r}"
    # Not imported for this check alone: dynamo takes seconds.
    dynamo = sys.modules.get("torch._dynamo.eval_frame")
    if dynamo is not None and dynamo._stance.stance != "default":
        yield f"torch.compiler's stance is {dynamo._stance.stance!r}"


def _threads(before: Collection[threading.Thread]) -> Iterator[str]:
    for thread in threading.enumerate():
        if thread not in before:
            thread.join(timeout=PATIENCE_SECONDS)
            if thread.is_alive():
                yield f"a thread: {thread.name}"
