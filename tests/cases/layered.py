"""Layers in a row, the hooks of others on them, and what they give."""

import torch
from torch import Tensor, nn

import hookviz
from hookviz.hooks.watched_hooks import Watched
from hookviz.session import Session, WatchOptions
from tests.views import at

EVERY = WatchOptions(every=1)


def halve(_module: nn.Module, _args: object, output: Tensor) -> Tensor:
    return output * 0.5


def double(_module: nn.Module, args: tuple[Tensor]) -> Tensor:
    return args[0] * 2


def look(*_: object) -> None:
    """Changes nothing."""


def triple(gradient: Tensor) -> Tensor:
    return gradient * 3


def stand_ins(tensor: Tensor) -> int:
    """How many of ours stand one behind the other in front of the one hook of a tensor."""
    (value,) = (tensor._backward_hooks or {}).values()
    count = 0
    while isinstance(value, Watched):
        value, count = value._watch.replaced, count + 1
    return count


def layers() -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(3, 3), nn.Sequential(nn.Tanh(), nn.Linear(3, 3)))


def output_of(session: Session, path: str) -> Tensor:
    capture = at(session, path).output
    assert isinstance(capture, hookviz.Capture)
    return capture.tensor


def nothing(_session: Session) -> None:
    """As it is."""
