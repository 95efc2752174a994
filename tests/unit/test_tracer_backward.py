"""Backward passes within a run, and what is computed again in them."""

from typing import Any

import torch
from torch.utils.checkpoint import checkpoint

from tests.models import fc, wired
from tests.tracing_seam import edges, trace

X = torch.ones(2, 4)


def test_both_kinds_of_checkpoint_show_the_modules_inside_once() -> None:
    for use_reentrant in (False, True):

        def forward(self: Any, x: Any, use_reentrant: bool = use_reentrant) -> Any:
            return self.b(checkpoint(lambda h: self.a(h).relu(), x, use_reentrant=use_reentrant))

        model = wired(forward, a=fc(), b=fc())
        x = X.clone().requires_grad_()

        assert edges(trace(model, x)) == [("x", "a"), ("a", "relu"), ("relu", "b"), ("b", "output")]


def test_a_backward_pass_inside_a_run_adds_no_nodes() -> None:
    def forward(self: Any, x: Any) -> Any:
        h = checkpoint(lambda h: self.a(h).relu(), x, use_reentrant=False)
        h.sum().backward()
        return self.b(h.detach())

    flow = trace(wired(forward, a=fc(), b=fc()), X)

    assert edges(flow) == [("x", "a"), ("a", "relu"), ("relu", "b"), ("b", "output")]


def test_what_hooks_compute_during_a_backward_pass_is_not_drawn() -> None:
    def forward(self: Any, x: Any) -> Any:
        h = self.a(x)
        kept: list[torch.Tensor] = []
        h.register_hook(lambda gradient: kept.append(gradient * x))
        torch.autograd.backward([h.sum()])
        return self.b(kept[0])

    assert edges(trace(wired(forward, a=fc(), b=fc()), X)) == [("x", "a"), ("b", "output")]


def test_a_gradient_computed_in_forward_is_a_node() -> None:
    def forward(self: Any, x: Any) -> Any:
        x = x.clone().requires_grad_()
        return torch.autograd.grad(self.energy(x).sum(), x)[0]

    flow = trace(wired(forward, energy=fc()), X)

    assert edges(flow) == [
        ("x", "energy"),
        ("energy", "sum"),
        ("sum", "grad"),
        ("x", "grad"),
        ("grad", "output"),
    ]
