"""A model after some steps of training."""

import torch
from torch import nn

from hookviz.session import Session, watch
from tests.models import wired


def trained(*inputs: float, every: int = 1, **options: int) -> tuple[nn.Module, Session]:
    """A model with one ReLU that was run once with each input."""
    model = wired(lambda model, x: model.act(x), act=nn.ReLU())
    session = watch(model, every=every, history=options.get("history"), keep_bytes=options.get("keep_bytes"))
    for value in inputs:
        model(torch.tensor([value], requires_grad=True)).sum().backward()
    return model, session
