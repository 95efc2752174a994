"""What our own tensor operations run under: nobody notices them."""

import contextlib
from collections.abc import Callable

import torch
from torch.utils._python_dispatch import _disable_current_modes


class _Quiet:
    """See ``quiet``. Each guard only where it has something to guard from: most calls need the first two alone."""

    __slots__ = ("_function", "_guards", "_had_grad")

    def __enter__(self) -> None:
        self._function = torch._C.DisableTorchFunction()
        self._function.__enter__()
        self._guards: contextlib.ExitStack | None = None
        self._had_grad = torch.is_grad_enabled()
        if self._had_grad:
            torch._C._set_grad_enabled(False)
        if torch._C._len_torch_dispatch_stack() or torch._C._is_any_autocast_enabled():
            self._guards = guards = contextlib.ExitStack()
            guards.enter_context(_disable_current_modes())
            for device in ("cpu", "cuda"):
                if torch.is_autocast_enabled(device):
                    guards.enter_context(torch.autocast(device, enabled=False))

    def __exit__(self, *_: object) -> None:
        if self._guards is not None:
            self._guards.close()
        if self._had_grad:
            torch._C._set_grad_enabled(True)
        self._function.__exit__(None, None, None)


def quiet() -> contextlib.AbstractContextManager[None]:
    """Our own tensor operations: unseen by the user's modes and subclasses, without graph and autocast."""
    return _Quiet()


def is_quiet() -> bool:
    """Whether nobody would notice operations on plain tensors anyhow: no mode is on, and no autocast.

    Where that is so, operations on detached tensors need no ``quiet``, which takes some microseconds.
    """
    return not (_function_modes() or _dispatch_modes() or _is_autocast_on())


_function_modes: Callable[[], int] = torch._C._len_torch_function_stack
_dispatch_modes: Callable[[], int] = torch._C._len_torch_dispatch_stack
_is_autocast_on: Callable[[], bool] = torch._C._is_any_autocast_enabled
