"""A trace keeps nothing alive, neither tensors nor the model."""

import gc
import weakref
from typing import Any

import torch

from hookviz.tracing.tracer import Tracer
from tests.models import fc, wired
from tests.tracing_seam import Seam, operations, trace

X = torch.ones(2, 4)


def test_no_tensor_is_kept_alive_during_or_after_the_run() -> None:
    died: list[bool] = []

    def forward(self: Any, x: Any) -> Any:
        h = self.a(x)
        gone = weakref.ref(h)
        y = h.detach().relu()
        y.mul_(2)
        storage = weakref.ref(y)
        del h
        died.append(gone() is None)
        z = self.b(y)
        del y
        died.append(storage() is None)
        return z

    model = wired(forward, a=fc(), b=fc())
    with torch.no_grad():
        flow = trace(model, X)
    gc.collect()

    assert died == [True, True]
    assert operations(flow) == ["relu", "mul"]


def test_a_finished_tracer_does_not_keep_the_model() -> None:
    model = wired(lambda self, x: self.a(x) @ self.a.weight, a=fc())
    tracer = Tracer(model)
    with Seam(model, tracer):
        model(X)
        tracer.finish()
    gone = weakref.ref(model)

    del model
    gc.collect()

    assert gone() is None
    assert tracer.problem == ""
