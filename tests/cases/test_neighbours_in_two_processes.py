"""Training that is spread over processes goes on as without us, in each of them."""

import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from torch import Tensor, distributed, nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor import DTensor
from torch.multiprocessing import spawn  # type: ignore[attr-defined]  # it is there by import *
from torch.nn.parallel import DistributedDataParallel

import hookviz
from hookviz.session import Session, watch
from tests.cases.comparison import assert_captured, same_bits
from tests.views import at

PROCESSES = 2


def layers() -> nn.Sequential:
    return nn.Sequential(nn.Linear(4, 4), nn.Sequential(nn.Tanh(), nn.Linear(4, 2)))


def replicated() -> nn.Module:
    return DistributedDataParallel(layers(), gradient_as_bucket_view=True)


def sharded() -> nn.Module:
    mesh = init_device_mesh("cpu", (PROCESSES,))
    model = layers()
    fully_shard(model[0], mesh=mesh)
    fully_shard(model, mesh=mesh)
    return model


def halve(_module: nn.Module, _args: object, output: Tensor) -> Tensor:
    return output * 0.5


def first_linear(model: nn.Module) -> tuple[str, nn.Module]:
    return next((path, part) for path, part in model.named_modules() if isinstance(part, nn.Linear))


def train(model: nn.Module, rank: int) -> list[object]:
    """Two steps, each process with its own data; what came out, and the parameters."""
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    results: list[object] = []
    for step in range(2):
        optimizer.zero_grad()
        y = model(torch.full((3, 4), 1.0 + rank + step))
        y.square().sum().backward()
        optimizer.step()
        results.append(y.detach())
    whole = [p.full_tensor() if isinstance(p, DTensor) else p.detach().clone() for p in model.parameters()]
    return [*results, *whole]


def leave(_session: Session) -> None:
    """As it is."""


def switch_and_write(session: Session) -> None:
    for hook in session.hooks:
        if hook.function is halve:
            hook.disable()
    path, _ = first_linear(session.model)
    session.intervene(path, hookviz.Scale(0.5))


STATES: list[tuple[bool, Callable[[Session], None]]] = [(False, leave), (True, leave), (True, switch_and_write)]
"""Without hooks, with a hook of another, and with that switched off and one written in its place."""


def compare(rank: int, rendezvous: str, make: Callable[[], nn.Module]) -> None:
    """In one process: train an unwatched and a watched model alike."""
    warnings.simplefilter("ignore")
    distributed.init_process_group("gloo", init_method=rendezvous, rank=rank, world_size=PROCESSES)
    for is_hooked, change in STATES:
        expected = train(made(make, is_hooked=is_hooked), rank)
        model = made(make, is_hooked=is_hooked)
        with watch(model, every=1) as session:
            change(session)
            results = train(model, rank)

            assert same_bits(results, expected)
            assert session.problem == ""
            assert (session.runs_captured, session.runs_seen) == (2, 2)
            assert_shown(session, results[1])
    distributed.destroy_process_group()


def made(make: Callable[[], nn.Module], *, is_hooked: bool) -> nn.Module:
    torch.manual_seed(0)
    model = make()
    if is_hooked:
        first_linear(model)[1].register_forward_hook(halve)
    return model


def assert_shown(session: Session, last: object) -> None:
    """The output of the last step, and the gradient that its squares have."""
    assert isinstance(last, Tensor)
    call = at(session, "").calls[-1]
    (output,) = [capture for _, capture, _ in call.entries("output")]
    (gradient,) = [capture for _, capture, _ in call.entries("grad_output")]
    assert output is not None
    assert gradient is not None
    assert_captured([output.tensor, gradient.tensor], [last, last * 2])
    assert session.svg().startswith("<svg")


@pytest.mark.parametrize("make", [replicated, sharded])
def test_each_process_computes_the_same_and_shows_its_own(tmp_path: Path, make: Callable[[], nn.Module]) -> None:
    """An experiment: DistributedDataParallel and fully_shard with two processes."""
    spawn(compare, (f"file://{tmp_path / 'rendezvous'}", make), nprocs=PROCESSES)
