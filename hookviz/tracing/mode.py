"""The switch that lets the tracer see each function of torch, and that can be taken away in between."""

from collections.abc import Callable
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from hookviz.tracing.stand_in_caller import StandInCaller

Record = Callable[[Any, tuple[Any, ...], dict[str, Any], Any], None]
"""Function, its arguments and keyword arguments, its output."""


class OperationMode(TorchFunctionMode):
    """Hands each call of a torch function to ``record`` after it returned; changes nothing about it.

    While it is on the stack some of torch's modules compute in another way, so it is taken off
    around them and put back to its old place, whatever modes of the user lie above it.
    """

    def __init__(self, record: Record) -> None:
        super().__init__()
        self._record = record
        self._caller = StandInCaller()
        self._position: int | None = None

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Call the function, then tell about it."""
        options = kwargs or {}
        # A compiler that follows the user's function must not take the tracer into its program.
        if torch.compiler.is_dynamo_compiling():
            return func(*args, **options)
        try:
            output = self._caller.calling(func)(func, args, options)
        except BaseException as error:
            # Without this frame and the one in the user's name: IPython always shows the last frames.
            for _ in range(2):
                error.__traceback__ = error.__traceback__.tb_next if error.__traceback__ is not None else None
            raise
        self._record(func, args, options, output)
        return output

    def forget(self) -> None:
        """Let go of the user's code."""
        self._caller.clear()

    def put_on(self) -> None:
        """Make it active: on top the first time, later at the place from which it was taken."""
        above = _pop_above(self._position) if self._position is not None else []
        if above and torch._C._len_torch_function_stack() == 0 and above[-1] is _default_device():
            # Set while this mode was off; torch keeps it at the very bottom and relies on that.
            _push(above.pop())
        _push(self)
        for mode in reversed(above):
            _push(mode)

    def take_off(self) -> bool:
        """Make it inactive; False if it was not on the stack, as while torch calls it."""
        for position in reversed(range(torch._C._len_torch_function_stack())):
            if torch._C._get_function_stack_at(position) is self:
                break
        else:
            return False
        above = _pop_above(position + 1)
        torch._C._pop_torch_function_stack()
        for mode in reversed(above):
            _push(mode)
        self._position = position
        return True


def _pop_above(position: int) -> list[Any]:
    count = torch._C._len_torch_function_stack() - position
    return [torch._C._pop_torch_function_stack() for _ in range(count)]


def _push(mode: Any) -> None:
    torch._C._push_on_torch_function_stack(mode)


def _default_device() -> Any:
    """The mode of ``torch.set_default_device``; ``with torch.device(...)`` is another and lies anywhere."""
    return getattr(torch._GLOBAL_DEVICE_CONTEXT, "device_context", None)
