"""Why a module was not called in a run, where the way in which PyTorch works explains it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from torch import nn
from torch.nn.parameter import is_lazy

from hookviz.hooks.seam import is_compiled
from hookviz.tracing.flow import Flow

NOT_CALLED = "not called in this run"


class Uncalled:
    """Explains the modules that a run did not call.

    Args:
        module_at: The module at a path, None if there is none.
        was_called: Whether the run called the module at a path.
        flow: The run's flow, None if it is not known.
    """

    def __init__(
        self, module_at: Callable[[str], nn.Module | None], was_called: Callable[[str], bool], flow: Flow | None
    ) -> None:
        self._module_at = module_at
        self._was_called = was_called
        nodes = flow.nodes if flow is not None else ()
        self._used = frozenset(node.path for node in nodes if node.kind == "parameter")
        """Parameters that an operation outside of their own module's call took."""

    def why(self, path: str) -> str:
        """One phrase for a module that was not called; one that begins with ``NOT_CALLED`` if nothing explains it."""
        module = self._module_at(path)
        if module is None:
            return NOT_CALLED
        if has_no_forward(module):
            return "a container: its children are called, it is not"
        return self._by_those_around(path) or self._by_itself(path, module) or NOT_CALLED

    def _by_those_around(self, path: str) -> str:
        """What the nearest module around it that was called did instead of calling it."""
        skipped = ""
        for outer, module in self._around(path):
            name = outer or "the model"
            if is_compiled(module):
                return f"not seen: {name} runs compiled code"
            if has_no_forward(module):
                continue
            if self._was_called(outer):
                return _instead(path, outer, module) or skipped
            skipped = f"not called: {name} was not called"
        return skipped

    def _by_itself(self, path: str, module: nn.Module) -> str:
        own = {f"{path}.{name}" for name, _ in nn.Module.named_parameters(module)}
        if own & self._used:
            return "not called: its parameters were used directly, as by its .forward()"
        if any(parameter is not None and is_lazy(parameter) for parameter in module._parameters.values()):
            return f"{NOT_CALLED}: a lazy module, whose first call makes its parameters"
        return ""

    def _around(self, path: str) -> Iterator[tuple[str, nn.Module]]:
        """The modules around a path, from the nearest to the model."""
        while path:
            path = path.rpartition(".")[0]
            module = self._module_at(path)
            if module is not None:
                yield path, module


def _instead(path: str, outer: str, module: nn.Module) -> str:
    """What a class of PyTorch that was called does instead of calling what is inside of it."""
    name = outer or "the model"
    forward = type(module).forward
    if forward is nn.TransformerEncoderLayer.forward:
        return f"not called: PyTorch's fused path ran {name} as one kernel"
    if forward is nn.MultiheadAttention.forward and path.rpartition(".")[2] == "out_proj":
        return f"not called: {name} uses its weight directly"
    if isinstance(module, nn.DataParallel) and len(module.device_ids) > 1:
        return f"not seen: {name} calls copies of it, one for each device"
    return ""


def has_no_forward(module: nn.Module) -> bool:
    """Whether its class is a mere container, such as ``ModuleList``, which cannot be called."""
    return type(module).forward is nn.Module.forward and "forward" not in module.__dict__
