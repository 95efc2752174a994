"""What forward receives: the last pre-hook, for one call."""

import threading
from collections.abc import Callable
from typing import Any

from torch import nn
from torch.nn.modules import module as torch_module
from torch.utils.hooks import RemovableHandle

Receive = Callable[[tuple[Any, ...], dict[str, Any]], None]


class InputTail:
    """Runs after all pre-hooks of one call and sees what they made of the arguments.

    A pre-hook may replace the arguments, so the caller's are not what forward gets. Only modules that
    have pre-hooks get a tail: an entry in a hook dict that was empty would be a difference that
    PyTorch's fused paths react to. It leaves the dict as soon as it ran.

    Calls in other threads, and those of DataParallel's replicas, go through the same dict and are not
    the call that it waits for.
    """

    def __init__(self, module: nn.Module, receive: Receive) -> None:
        self._module = module
        self._receive = receive
        self._thread = threading.get_ident()
        self._handle: RemovableHandle | None
        if module._forward_pre_hooks:
            self._handle = module.register_forward_pre_hook(self._run, with_kwargs=True)
        else:
            self._handle = torch_module.register_module_forward_pre_hook(self._run_global)

    # Another thread that copied the entry may find its flag gone by now, and then gives no keyword arguments.
    def _run(self, module: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None) -> None:
        if kwargs is not None and self._is_its_call(module):
            self.remove()
            self._receive(args, kwargs)

    def _run_global(self, module: nn.Module, args: tuple[Any, ...]) -> None:
        # Global pre-hooks run for each module and get no keyword arguments.
        if self._is_its_call(module):
            self.remove()
            self._receive(args, {})

    def _is_its_call(self, module: nn.Module) -> bool:
        return module is self._module and threading.get_ident() == self._thread

    def remove(self) -> None:
        """Take the entry out again; also where the call never came to it."""
        if self._handle is not None:
            self._handle.remove()
            self._handle = None
