"""Who looks at a tensor that was recorded without a copy sees what it was, wherever and whenever that is."""

import contextlib
import copy
import pickle
import threading
import time
from collections.abc import Callable

import pytest
import torch
from torch import nn
from torch.overrides import TorchFunctionMode

import hookviz
from hookviz.capture.capture import Capture
from tests.large import ROWS, Large, batch, is_lent, of, recorded
from tests.models import wired
from tests.views import at


@pytest.mark.parametrize(
    "view",
    [
        lambda y: y.t()[:, :4000],
        lambda y: y[:, :30],
        lambda y: y[:, :1].expand(ROWS, 64),
        lambda y: y.as_strided((4000, 32), (7, 1)),
        lambda y: y.reshape(64, 32, 8, 8).to(memory_format=torch.channels_last),
        lambda y: y.view(128, 32, 32).permute(2, 0, 1),
        lambda y: y.t(),
        lambda y: y.reshape(-1)[:-1],
        lambda y: y.reshape(-1)[1:],
        lambda y: y.double(),
    ],
    ids=[
        "transposed part",
        "part",
        "expanded",
        "overlapping",
        "channels last",
        "permuted",
        "transposed",
        "odd",
        "from an odd place",
        "double",
    ],
)
def test_views_of_all_kinds_have_their_values(view: Callable[[torch.Tensor], torch.Tensor]) -> None:
    linear = nn.Linear(8, 32)
    model = wired(lambda self, x: self.view(self.linear(x)).sum(), linear=linear, view=wired(lambda _, y: view(y)))
    with hookviz.watch(model, every=1) as session:
        for seed in range(3):
            model(batch(seed))

        expected = view(of(linear, batch(2)))
        assert torch.equal(recorded(session, "view").tensor, expected)
        assert recorded(session, "view").tensor.shape == expected.shape


def test_what_a_hook_was_given_is_known_also_if_it_writes_there_for_the_first_time() -> None:
    linear = nn.Linear(8, 32)
    model = Large(nn.Sequential(linear))
    with hookviz.watch(model, every=1) as session, torch.no_grad():
        model(batch(1))
        model(batch(2))
        model.first.register_forward_hook(lambda _module, _args, output: output.mul_(2))
        model(batch(3))

        expected = of(linear, batch(3))
        (effect,) = session.effects()
        (entry,) = effect.entries
        assert entry.before is not None
        assert entry.after is not None
        assert torch.equal(entry.before.tensor, expected)
        assert torch.equal(entry.after.tensor, expected * 2)
        assert torch.equal(at(session, "first.0").output.tensor, expected)


def test_a_parent_that_writes_into_what_its_child_returned_shows_its_own_numbers() -> None:
    linear = nn.Linear(8, 32)

    def silently(self: nn.Module, x: torch.Tensor) -> torch.Tensor:
        y: torch.Tensor = self.linear(x)  # type: ignore[operator]  # a module, says torch, may be a tensor
        if is_writing:
            y.data.mul_(2)
        return y

    is_writing = False
    model = Large(wired(silently, linear=linear))
    with hookviz.watch(model, every=1) as session:
        model(batch(1))
        model(batch(2))
        is_writing = True
        model(batch(3))

        expected = of(linear, batch(3))
        assert at(session, "first.linear").output.summary.mean == pytest.approx(expected.mean().item(), abs=1e-6)
        assert not at(session, "first.linear").output.is_kept
        assert at(session, "first").output.summary.mean == pytest.approx(2 * expected.mean().item(), abs=1e-6)
        assert torch.equal(at(session, "first").output.tensor, 2 * expected)


@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda capture: pickle.loads(pickle.dumps(capture))], ids=["deepcopy", "pickle"]
)
def test_copies_and_pickles_of_a_capture_have_its_values(copied: Callable[[Capture], Capture]) -> None:
    model = Large()
    with hookviz.watch(model, every=1) as session:
        for seed in (1, 2):
            model(batch(seed))
        other = copied(recorded(session, "first"))

        assert torch.equal(other.tensor, of(model.first, batch(2)))


def test_another_thread_that_looks_never_gets_values_of_two_moments() -> None:
    model = nn.Sequential(nn.Identity(), nn.Linear(64, 1)).requires_grad_(requires_grad=False)
    looks: list[list[float]] = []
    is_over = threading.Event()

    def look() -> None:
        while not is_over.is_set():
            with contextlib.suppress(hookviz.NotKeptError, hookviz.NotCapturedError):
                looks.append(at(session, "0").output.tensor.unique().tolist())
            time.sleep(0.001)

    with hookviz.watch(model, every=1) as session:
        model(torch.zeros(ROWS, 64))
        thread = threading.Thread(target=look)
        thread.start()
        for step in range(1, 40):
            x = torch.full((ROWS, 64), float(step))
            model(x)
            x.data.neg_()
        is_over.set()
        thread.join()

    assert looks
    assert {len(values) for values in looks} == {1}
    assert all(values[0] >= 0 for values in looks)


def test_what_the_user_watches_torch_with_sees_nothing_of_it() -> None:
    model = Large()
    seen: list[str] = []

    class Listening(TorchFunctionMode):
        def __torch_function__(self, function, types, args=(), kwargs=None):  # type: ignore[no-untyped-def]  # as torch declares it
            seen.append(str(function))
            return function(*args, **(kwargs or {}))

    with Listening():
        model(batch())
    bare, counts = len(seen), []
    with hookviz.watch(model, every=1) as session:
        for seed in range(4):
            seen.clear()
            with Listening():
                model(batch(seed))
            counts.append(len(seen))
        assert recorded(session, "first").is_kept

    assert counts == [bare] * 4


@pytest.mark.parametrize("transform", [torch.func.grad, torch.func.vmap])
def test_within_transforms_of_functions_tensors_are_copied(transform: Callable[..., Callable[..., object]]) -> None:
    model = Large()
    with hookviz.watch(model, every=1) as session:
        model(batch())
        for seed in (1, 2):
            transform(model)(torch.stack([batch(seed)]) if transform is torch.func.vmap else batch(seed))

            output = recorded(session, "first")
            assert not is_lent(output)
            torch.testing.assert_close(output.tensor.view(ROWS, 32), of(model.first, batch(seed)))


@pytest.mark.parametrize("transform", [torch.func.grad, torch.func.vmap])
def test_a_look_within_a_transform_of_functions_gives_a_tensor_that_outlives_it(
    transform: Callable[..., Callable[..., object]],
) -> None:
    model = Large()
    with hookviz.watch(model, every=1) as session:
        model(batch(1))
        model(batch(2))
        output = recorded(session, "first")
        assert is_lent(output)

        transform(lambda x: (x * output.shape[0]).sum() if output.is_kept else x)(torch.ones(3))

        assert output.tensor.untyped_storage().nbytes() == ROWS * 32 * 4
        assert output.tensor.tolist() == of(model.first, batch(2)).tolist()
