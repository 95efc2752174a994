"""Small models with hooks of others, and how to find these in a session's list."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from hookviz.hooks.hook import Hook
from hookviz.session import Session
from tests.models import wired


def model_of(*layers: nn.Module) -> nn.Sequential:
    return nn.Sequential(*(layers or (nn.Linear(3, 3), nn.Tanh())))


def batch() -> Tensor:
    return torch.ones(2, 3, requires_grad=True)


def of(session: Session, function: object) -> Hook:
    """The hook that is listed for a function."""
    (found,) = (hook for hook in session.hooks if hook.function is function)
    return found


class Calls(list[str]):
    """Makes hooks that write down their name."""

    def hook(self, name: str) -> Callable[..., None]:
        def write(*_: object) -> None:
            self.append(name)

        return write


def double(_module: nn.Module, _args: Any, output: torch.Tensor) -> torch.Tensor:
    return output * 2


def identity() -> Any:
    """A model whose children return what they receive."""
    return wired(lambda model, x: model.second(model.first(x)), first=nn.Identity(), second=nn.Identity())


def nothing(*_: object) -> None:
    """A hook that does nothing."""


def only_hook(session: Session) -> Hook:
    (hook,) = session.hooks
    return hook


def note(session: Session) -> str:
    return session.report(only_hook(session)).note
