"""Drives a tracer around the module calls of a model, as the probe of a session does."""

from collections.abc import Callable
from typing import Any

from torch import nn

from hookviz.tracing.flow import Flow
from hookviz.tracing.tracer import Tracer


def trace(model: nn.Module, *args: Any, run: Callable[[], Any] | None = None, **kwargs: Any) -> Flow:
    """The flow of one run: of ``model(*args, **kwargs)``, or of what ``run`` does with the model."""
    flow, _ = trace_with_output(model, *args, run=run, **kwargs)
    return flow


def trace_with_output(
    model: nn.Module, *args: Any, run: Callable[[], Any] | None = None, **kwargs: Any
) -> tuple[Flow, Any]:
    """The flow of one run and what the run returned."""
    tracer = Tracer(model)
    with Seam(model, tracer):
        try:
            output = run() if run is not None else model(*args, **kwargs)
        finally:
            flow = tracer.finish()
    assert tracer.problem == ""
    return flow, output


class Seam:
    """Tells a tracer of each module call of a model while the context is open."""

    def __init__(self, model: nn.Module, tracer: Tracer) -> None:
        self._paths = {module: path for path, module in reversed(list(model.named_modules()))}
        self._tracer = tracer

    def __enter__(self) -> None:
        for module, path in self._paths.items():
            module.__dict__["_compiled_call_impl"] = self._call(module, path)

    def __exit__(self, *exception: object) -> None:
        for module in self._paths:
            module.__dict__.pop("_compiled_call_impl", None)

    def _call(self, module: nn.Module, path: str) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            self._tracer.enter(module, path, args, kwargs)
            try:
                output = module._call_impl(*args, **kwargs)
            except BaseException:
                self._tracer.fail(module, path)
                raise
            self._tracer.leave(module, path, args, kwargs, output)
            return output

        return call


def edges(flow: Flow) -> list[tuple[str, str]]:
    """The edges as readable pairs: a module by its path, an operation by its name, an input by its label."""
    return [(_name(flow, edge.source), _name(flow, edge.target)) for edge in flow.edges]


def operations(flow: Flow) -> list[str]:
    """Names of the operations in order."""
    return [node.label for node in flow.nodes if node.kind == "op"]


def _name(flow: Flow, node_id: int) -> str:
    node = flow.nodes[node_id]
    return node.path if node.kind in {"module", "container", "parameter"} else node.label
