"""What a trace must not do: change a number, stay behind, see too much, or harm the run with a fault of its own."""

import threading
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn import functional
from torch.overrides import _get_current_function_mode_stack

from hookviz.tracing.provenance import Provenance
from hookviz.tracing.tracer import Tracer
from tests.models import fc, wired
from tests.modes import Dispatched, ModesSeen, Seen
from tests.tracing_seam import Seam, edges, trace, trace_with_output

X = torch.ones(2, 4)


def test_the_kernels_and_the_random_numbers_of_a_run_are_the_same() -> None:
    def forward(self: Any, x: Any) -> Any:
        h = self.drop(self.norm(self.a(x).view(2, 4)))
        h[:, 0] = functional.dropout(h[:, 1], 0.5)
        return (self.rnn(h[None])[0] + torch.rand(4)).split(2, dim=2)

    model = wired(forward, a=fc(), norm=nn.BatchNorm1d(4), drop=nn.Dropout(), rnn=nn.LSTM(4, 4)).train()
    torch.manual_seed(1)
    with Dispatched() as bare:
        expected = model(X)
    torch.manual_seed(1)
    with Dispatched() as traced:
        _, output = trace_with_output(model, X)

    assert traced.kernels == bare.kernels
    assert all(torch.equal(one, other) for one, other in zip(output, expected, strict=True))


def test_a_user_mode_sees_the_same_functions() -> None:
    def forward(self: Any, x: Any) -> Any:
        with Seen() as inner:
            h = self.b(self.a(x).relu())
        seen.append(inner.functions)
        return h + 1

    seen: list[list[str]] = []
    model = wired(forward, a=fc(), b=nn.Sequential(fc(), nn.ReLU()))
    with Seen() as bare:
        model(X)
    with Seen() as traced:
        trace(model, X)

    assert traced.functions == bare.functions
    assert seen[0] == seen[1]


def test_a_subclass_of_tensor_sees_the_same_functions() -> None:
    log: list[str] = []

    class Logged(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            log.append(func.__name__)
            return super().__torch_function__(func, types, args, kwargs or {})  # type: ignore[no-untyped-call]  # torch gives it no types

    model = wired(lambda self, x: self.a(x).relu() + x, a=fc())
    x = X.as_subclass(Logged)
    model(x)
    bare = log.copy()
    log.clear()
    trace(model, x)

    assert log == bare


def test_no_mode_is_active_inside_a_leaf_and_those_of_the_user_keep_their_order() -> None:
    leaf = ModesSeen()
    order: list[list[str]] = []

    def forward(self: Any, x: Any) -> Any:
        with Seen():
            order.append([type(mode).__name__ for mode in _get_current_function_mode_stack()])
            h = self.leaf(x)
            order.append([type(mode).__name__ for mode in _get_current_function_mode_stack()])
        return h * 2

    trace(wired(forward, leaf=leaf), X)

    assert leaf.count == 1
    assert order == [["OperationMode", "Seen"], ["OperationMode", "Seen"]]


def test_a_default_device_stays_at_the_bottom() -> None:
    def forward(self: Any, x: Any) -> Any:
        with torch.device("meta"):
            h = self.leaf(x)
            made = torch.ones(1)
        assert made.is_meta
        return h * 2

    leaf = ModesSeen()

    assert edges(trace(wired(forward, leaf=leaf), X)) == [("x", "leaf"), ("leaf", "mul"), ("mul", "output")]
    assert leaf.count == 1


def test_nothing_is_active_after_a_run_that_raised() -> None:
    def forward(self: Any, x: Any) -> Any:
        raise KeyboardInterrupt

    model = wired(lambda self, x: self.a(x), a=wired(forward, b=fc()))

    with pytest.raises(KeyboardInterrupt):
        trace(model, X)

    assert _get_current_function_mode_stack() == []


def test_calls_in_other_threads_are_not_followed() -> None:
    def forward(self: Any, x: Any) -> Any:
        thread = threading.Thread(target=lambda: self.b(x.relu()))
        thread.start()
        thread.join()
        return self.a(x)

    assert edges(trace(wired(forward, a=fc(), b=fc()), X)) == [("x", "a"), ("a", "output")]


def test_a_fault_of_the_tracer_is_told_and_the_run_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("broken")

    def forward(self: Any, x: Any) -> Any:
        monkeypatch.setattr(Provenance, "feeds", broken)
        return self.c(self.b(self.a(x).relu()))

    c = ModesSeen()
    model = wired(forward, a=fc(), b=fc(), c=c)
    tracer = Tracer(model)

    with Seam(model, tracer):
        output = model(X)
        modes = _get_current_function_mode_stack()
        flow = tracer.finish()

    assert output.shape == (2, 4)
    assert tracer.problem == ("The data flow is incomplete, since tracing it failed with ZeroDivisionError: broken")
    assert modes == []
    assert c.count == 0
    assert [node.kind for node in flow.nodes] == ["input", "container"]


def test_an_exception_of_the_user_is_not_taken_for_a_fault() -> None:
    def forward(self: Any, x: Any) -> Any:
        try:
            x @ x
        except RuntimeError:
            return self.a(x)

    assert edges(trace(wired(forward, a=fc()), X)) == [("x", "a"), ("a", "output")]


def test_hostile_objects_go_through_untouched() -> None:
    class Hostile:
        def _raise(self, *_: object) -> Any:
            raise AssertionError("touched")

        __eq__ = __bool__ = __len__ = __iter__ = __hash__ = __getattr__ = _raise
        __class__ = property(_raise)

    class HostileList(list[Any]):
        def __iter__(self) -> Any:
            raise AssertionError("touched")

        def __len__(self) -> int:
            raise AssertionError("touched")

    def generator() -> Any:
        yield from (X, X)

    items = generator()
    cycle: list[Any] = [X]
    cycle.append(cycle)
    inner = wired(lambda self, x, *more: (x * 2, *more), unused=fc())
    model = wired(lambda self, x, *more: self.inner(x, *more), inner=inner)

    flow = trace(model, X, Hostile(), HostileList([X + 1]), items, cycle)

    assert edges(flow) == [
        ("x = more[3][0]", "mul"),
        ("mul", "output"),
        ("more[1][0]", "output"),
        ("x = more[3][0]", "output"),
    ]
    assert len(list(items)) == 2


def test_a_compiled_part_is_one_card_without_a_mode_around_it() -> None:
    inside = ModesSeen()
    compiled: Any = torch.compile(nn.Sequential(fc(), inside), backend="eager")
    model = wired(lambda self, x: self.b(self.part(x).relu()), part=compiled, b=fc())
    model(X)

    tracer = Tracer(model)
    output = None
    for module in (model, compiled, model.b):
        path = {id(model): "", id(compiled): "part", id(model.b): "b"}[id(module)]

        def call(*args: Any, module: Any = module, path: str = path) -> Any:
            tracer.enter(module, path, args, {})
            output = module._call_impl(*args)
            tracer.leave(module, path, args, {}, output)
            return output

        module.__dict__["_compiled_call_impl"] = call
    output = model(X)

    assert edges(tracer.finish()) == [("x", "part"), ("part", "relu"), ("relu", "b"), ("b", "output")]
    assert tracer.problem == ""
    assert output.shape == (2, 4)
    assert inside.count == 0
