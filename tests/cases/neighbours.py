"""What models are used with: small programs, each of which meets one neighbour of ours in PyTorch."""

import copy
import io
import pickle
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.utils import parametrizations
from torch.utils.checkpoint import checkpoint, checkpoint_sequential
from torch.utils.data import DataLoader, Dataset

from tests.cases.compilers import (
    compiled_in_place,
    compiled_part,
    compiled_part_in_place,
    compiled_whole,
    exported,
    quantized,
    scripted_part,
    traced,
)
from tests.cases.differentiation import (
    accumulation,
    autocast,
    double_backward,
    dual_numbers,
    ensemble,
    forward_product,
    functional_gradient,
    gradient_of_sparse,
    inferred,
    scaled,
    several_passes,
    stepped,
    vectorized,
)
from tests.cases.modules import Apply, Wired, leaf
from tests.cases.watching import Results, step

Program = Callable[[Any, Any], Results]


@dataclass(frozen=True)
class Neighbour:
    """A model, what it is given, and what is done with both."""

    name: str
    program: Program
    make: Callable[[], tuple[nn.Module, Any]]
    less: str = ""
    """How the session says that it shows less; empty where it shows all."""
    makes_copies: bool = False
    """Copies of a model have the hooks that are off in it, so they compute something else."""


def layers() -> tuple[nn.Sequential, Tensor]:
    return nn.Sequential(nn.Linear(3, 3), nn.Sequential(nn.Tanh(), nn.Linear(3, 3)), nn.Dropout(0.25)), leaf(2, 3)


def with_inner(inner: Callable[[nn.Module, Tensor], Tensor]) -> Callable[[], tuple[nn.Module, Tensor]]:
    """A model that leads its first layer through something."""

    def make() -> tuple[nn.Module, Tensor]:
        block = nn.Sequential(nn.Linear(3, 3), nn.Dropout(0.25), nn.Tanh())
        return Wired(lambda model, x: model.head(inner(model.block, x)), block=block, head=nn.Linear(3, 2)), leaf(2, 3)

    return make


def copied(model: nn.Module, x: Tensor) -> Results:
    return [*step(copy.deepcopy(model), x), *step(copy.copy(model), x)]


def pickled(model: nn.Module, x: Tensor) -> Results:
    # Python's own, from before it had protocols, to PyTorch's.
    results: Results = []
    for protocol in (0, 2, pickle.HIGHEST_PROTOCOL):
        results += step(pickle.loads(pickle.dumps(model, protocol)), x)
    return results


def saved(model: nn.Module, x: Tensor) -> Results:
    file = io.BytesIO()
    torch.save({"model": model, "state": model.state_dict()}, file)
    file.seek(0)
    loaded = torch.load(file, weights_only=False)
    model.load_state_dict(loaded["state"])
    return [*step(loaded["model"], x), *step(model, x)]


def averaged(model: nn.Module, x: Tensor) -> Results:
    average = torch.optim.swa_utils.AveragedModel(model)
    results = step(model, x)
    average.update_parameters(model)
    return [*results, *step(average, x)]


def replicated(model: nn.Module, x: Tensor) -> Results:
    """As DataParallel does it, for which two devices would be needed."""

    def replicate(module: nn.Module) -> nn.Module:
        replica: nn.Module = module._replicate_for_data_parallel()
        replica._parameters = dict(module._parameters)
        replica._modules = {name: replicate(child) for name, child in module._modules.items() if child is not None}
        return replica

    model.eval()
    replicas = [replicate(model) for _ in range(2)]
    results: Results = [None, None]

    def run(place: int) -> None:
        results[place] = replicas[place](x * place).detach()

    _in_threads(run, 2)
    return [*results, *step(model, x)]


def threads(model: nn.Module, x: Tensor) -> Results:
    model.eval()
    results: Results = [None] * 4

    def run(place: int) -> None:
        for _ in range(5):
            results[place] = model(x.detach() * place)

    _in_threads(run, 4)
    return [*results, *step(model, x)]


def _in_threads(run: Callable[[int], None], count: int) -> None:
    workers = [threading.Thread(target=run, args=(place,)) for place in range(count)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


class Embedded(Dataset[Tensor]):
    """Each item goes through the model, in the process of the loader's worker."""

    def __init__(self, model: nn.Module, x: Tensor) -> None:
        self.model = model
        self.x = x.detach()

    def __len__(self) -> int:
        return 2

    def __getitem__(self, place: int) -> Tensor:
        # A worker's thread pool would wait for threads that a fork does not have.
        torch.set_num_threads(1)
        y: Tensor = self.model(self.x * place)
        return y.detach()


def loaded_by_workers(model: nn.Module, x: Tensor) -> Results:
    model.eval()
    results = step(model, x)
    items = DataLoader(Embedded(model, x), num_workers=1, multiprocessing_context="fork")
    return [*results, *items, *step(model, x)]


def lazy() -> tuple[nn.Module, Tensor]:
    return nn.Sequential(nn.LazyLinear(3), nn.Tanh(), nn.LazyBatchNorm1d()), leaf(2, 3)


def parametrized() -> tuple[nn.Module, Tensor]:
    norms = (parametrizations.weight_norm, parametrizations.spectral_norm, parametrizations.orthogonal)
    return nn.Sequential(*(norm(nn.Linear(3, 3)) for norm in norms)), leaf(2, 3)


def tied() -> tuple[nn.Module, Tensor]:
    model = nn.Sequential(nn.Linear(3, 3, bias=False), nn.Tanh(), nn.Linear(3, 3, bias=False))
    model[2].weight = model[0].weight
    return model, leaf(2, 3)


def ragged() -> tuple[nn.Module, Tensor]:
    return nn.Sequential(nn.Linear(3, 3), nn.Tanh()), torch.nested.nested_tensor(
        [torch.randn(2, 3), torch.randn(4, 3)], layout=torch.jagged, requires_grad=True
    )


def sparse() -> tuple[nn.Module, Tensor]:
    x = torch.eye(3).to_sparse().requires_grad_()
    return nn.Sequential(Apply(lambda x: torch.sparse.mm(x, torch.ones(3, 3))), nn.Linear(3, 3)), x


def complex_numbers() -> tuple[nn.Module, Tensor]:
    x = torch.randn(2, 3, dtype=torch.complex64, requires_grad=True)
    return nn.Sequential(nn.Linear(3, 3, dtype=torch.complex64), Apply(torch.conj), Apply(torch.abs)), x


def meta() -> tuple[nn.Module, Tensor]:
    with torch.device("meta"):
        return nn.Sequential(nn.Linear(3, 3), nn.Tanh()), leaf(2, 3)


def shapes_alone(model: nn.Module, x: Tensor) -> Results:
    y = model(x)
    y.sum().backward()
    return [y.shape, y.device, None if x.grad is None else x.grad.shape]


def values_of_a_ragged_tensor(model: nn.Module, x: Tensor) -> Results:
    y = model(x)
    y.values().sum().backward()
    return [y.values(), None if x.grad is None else x.grad.values()]


def forward_alone(model: nn.Module, x: Tensor) -> Results:
    return [model(x), model(x)]


COMPILED = "compiled: not observable"

NEIGHBOURS = [
    Neighbour("torch.compile of the whole", compiled_whole, layers, "calls of its result are not observable"),
    Neighbour("Module.compile of the whole", compiled_in_place, layers, COMPILED),
    Neighbour("torch.compile of a part", compiled_part, layers, COMPILED),
    Neighbour("Module.compile of a part", compiled_part_in_place, layers, COMPILED),
    Neighbour(
        "checkpoint without reentrance", step, with_inner(lambda block, x: checkpoint(block, x, use_reentrant=False))
    ),
    Neighbour(
        "checkpoint with reentrance", step, with_inner(lambda block, x: checkpoint(block, x, use_reentrant=True))
    ),
    Neighbour(
        "checkpoint of a sequence",
        step,
        with_inner(lambda block, x: checkpoint_sequential(block, 2, x, use_reentrant=False)),
    ),
    Neighbour("autocast", autocast, layers),
    Neighbour("GradScaler", scaled, layers),
    Neighbour("vmap", vectorized, layers),
    Neighbour("an ensemble by vmap", ensemble, layers),
    Neighbour("grad of torch.func", functional_gradient, layers),
    Neighbour("jvp of torch.func", forward_product, layers),
    Neighbour("dual numbers", dual_numbers, layers),
    Neighbour("double backward", double_backward, layers),
    Neighbour("accumulation of gradients", accumulation, layers),
    Neighbour("several backward passes", several_passes, layers),
    Neighbour("inference mode", inferred, layers),
    Neighbour("torch.jit.trace", traced, layers),
    Neighbour("torch.export", exported, layers),
    Neighbour("a ScriptModule inside", step, scripted_part, COMPILED),
    Neighbour("a quantized model", forward_alone, quantized),
    Neighbour("lazy modules", accumulation, lazy),
    Neighbour("parametrizations", accumulation, parametrized),
    Neighbour("tied weights", step, tied),
    Neighbour("replicas in threads", replicated, layers),
    Neighbour("threads", threads, layers),
    Neighbour("nested tensors", values_of_a_ragged_tensor, ragged),
    Neighbour("sparse tensors", gradient_of_sparse, sparse),
    Neighbour("complex numbers", step, complex_numbers),
    Neighbour("the meta device", shapes_alone, meta),
    Neighbour("deepcopy", copied, layers, makes_copies=True),
    Neighbour("pickle", pickled, layers, makes_copies=True),
    Neighbour("torch.save", saved, layers, makes_copies=True),
    Neighbour("an average of weights", averaged, layers, makes_copies=True),
    Neighbour("workers of a DataLoader", loaded_by_workers, layers),
    Neighbour("LBFGS", stepped, layers),
]
