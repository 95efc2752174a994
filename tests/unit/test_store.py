"""Tensors are copied at once, and kept as long as the byte limit lasts."""

import math
from collections.abc import Callable

import pytest
import torch

from hookviz.capture.capture import Capture
from hookviz.capture.moments import measure
from hookviz.capture.store import TensorStore, quiet
from hookviz.capture.together import measure_together
from hookviz.errors import NotKeptError


def take(store: TensorStore, tensor: torch.Tensor, path: str = "a", *, is_gradient: bool = False) -> Capture:
    with quiet():
        return store.take(tensor, path, is_gradient=is_gradient)


def test_a_capture_is_a_copy_as_the_tensor_was() -> None:
    tensor = torch.ones(3, requires_grad=True)
    capture = take(TensorStore(1000), tensor)

    with torch.no_grad():
        tensor.fill_(9.0)

    assert capture.tensor.tolist() == [1.0, 1.0, 1.0]
    assert not capture.tensor.requires_grad
    assert capture.summary.mean == 1.0


def test_outputs_may_take_two_thirds_and_gradients_the_rest() -> None:
    store = TensorStore(1200)  # 800 bytes are for outputs

    outputs = [take(store, torch.ones(50)) for _ in range(5)]  # 200 bytes each
    gradients = [take(store, torch.ones(50), is_gradient=True) for _ in range(3)]

    assert [capture.is_kept for capture in outputs] == [True, True, True, True, False]
    assert [capture.is_kept for capture in gradients] == [True, True, False]
    assert store.kept_bytes == 1200


def test_statistics_stay_where_the_tensor_does_not() -> None:
    store = TensorStore(1000, share_of_outputs=0.0)

    capture = take(store, torch.tensor([0.0, 2.0]))

    assert not capture.is_kept
    with pytest.raises(NotKeptError):
        capture.peek  # noqa: B018  # reading is what raises
    assert (capture.summary.mean, capture.summary.zeros) == (1.0, 1)
    assert capture.summary.histogram is not None
    assert store.kept_bytes == 0


def why_not_kept(capture: Capture) -> str:
    with pytest.raises(NotKeptError) as caught:
        capture.tensor  # noqa: B018  # reading is what raises
    return str(caught.value)


@pytest.mark.parametrize(
    ("tensor", "share", "why"),
    [
        (
            torch.ones(2, 3),
            0.0,
            (
                "The 2×3 float32 tensor was not kept: over the memory limit keep_bytes=1,000; "
                "raise it, or watch fewer modules with only=."
            ),
        ),
        (
            torch.ones(100),
            1.0,
            (
                "The 100 float32 tensor was not kept: 400 bytes are over a quarter of the limit keep_bytes=1,000; "
                "select its module in the picture or raise the limit."
            ),
        ),
        (
            torch.empty(2, device="meta"),
            1.0,
            "The 2 float32 tensor holds no values: shape and dtype only (meta or fake tensor).",
        ),
    ],
    ids=["the memory is full", "a single tensor is too large", "there are no values"],
)
def test_the_error_says_why_a_tensor_was_not_kept_and_what_helps(tensor: torch.Tensor, share: float, why: str) -> None:
    store = TensorStore(1000, share_of_outputs=share)

    capture = take(store, tensor)

    assert why_not_kept(capture) == why
    assert (capture.is_kept, store.kept_bytes) == (False, 0)


def test_a_tensor_that_somebody_looks_at_is_kept_up_to_the_whole_limit() -> None:
    store = TensorStore(1000)
    store.wanted = frozenset({"looked.at"})

    too_large = take(store, torch.ones(251), "looked.at")
    wanted = take(store, torch.ones(250), "looked.at")
    other = take(store, torch.ones(1), "other")

    assert (too_large.is_kept, wanted.is_kept, other.is_kept) == (False, True, False)


@pytest.mark.parametrize(
    ("make", "charged"),
    [
        (lambda: torch.ones(1).expand(100), 400),
        (lambda: torch.eye(30).to_sparse(), 30 * (4 + 2 * 8)),
        (lambda: torch.eye(30).to_sparse_csr(), 31 * 8 + 30 * 8 + 30 * 4),
        (lambda: torch.eye(30).to_sparse_csc(), 31 * 8 + 30 * 8 + 30 * 4),
    ],
    ids=["expanded", "sparse", "sparse by rows", "sparse by columns"],
)
@pytest.mark.filterwarnings("ignore:Sparse")
def test_a_tensor_is_charged_for_what_its_copy_takes(make: Callable[[], torch.Tensor], charged: int) -> None:
    store = TensorStore(4000)

    take(store, make())

    assert store.kept_bytes == charged


def test_the_numbers_of_a_copy_that_its_owner_changed_are_those_of_the_value() -> None:
    capture = take(TensorStore(1000), torch.tensor([1.0, 2.0, 6.0]))

    capture.tensor.fill_(9.0)

    assert (capture.summary.mean, capture.summary.max) == (3.0, 6.0)


def test_copies_that_are_measured_together_have_the_numbers_of_those_measured_alone() -> None:
    store = TensorStore(10_000)
    tensors = [torch.tensor(values) for values in ([1.0, 2.0, 6.0], [1e4, 1e4 + 1, 1e4 + 2], [0.0, 0.0, 0.0])]
    broken = torch.tensor([1.0, math.nan, math.inf])

    captures = [take(store, tensor) for tensor in tensors] + [take(store, broken, is_gradient=True)]
    measure_together([*captures, captures[0]])

    for capture, tensor in zip(captures, tensors, strict=False):
        alone = measure(tensor, with_sample=False)
        for name in ("count", "mean", "std", "min", "max", "norm", "nans", "infs"):
            assert getattr(capture.moments, name) == pytest.approx(getattr(alone, name), rel=1e-6), name
    assert (captures[3].moments.nans, captures[3].moments.infs) == (1, 1)


def test_a_conjugate_is_kept_as_numbers() -> None:
    capture = take(TensorStore(1000), torch.tensor([1 + 2j]).conj())

    assert not capture.tensor.is_conj()
    assert capture.tensor.tolist() == [1 - 2j]


def test_release_makes_room_for_the_next_run() -> None:
    store = TensorStore(600)
    take(store, torch.ones(30))

    store.release()

    assert store.kept_bytes == 0


def test_quiet_has_neither_gradients_nor_autocast() -> None:
    weight = torch.ones(2, 2, requires_grad=True)

    with torch.autocast("cpu", dtype=torch.bfloat16), quiet():
        product = weight @ weight

    assert (product.dtype, product.requires_grad) == (torch.float32, False)
    assert torch.is_grad_enabled()


def test_a_tensor_within_vmap_is_recorded_with_its_batch() -> None:
    store, seen = TensorStore(1000), []

    def look(row: torch.Tensor) -> torch.Tensor:
        seen.append(take(store, row))
        return row

    torch.vmap(look)(torch.arange(6.0).reshape(3, 2))

    assert seen[0].summary.shape == (3, 2)
