"""Tensors are copied at once, and kept as long as the byte limit lasts."""

import re

import pytest
import torch

from hookviz.capture.capture import Capture
from hookviz.capture.store import TensorStore, quiet
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
    assert (capture.summary.mean, capture.summary.zeros) == (1.0, 1)
    assert capture.summary.histogram is not None
    assert store.kept_bytes == 0


def test_the_error_says_that_the_memory_limit_was_reached_and_what_helps() -> None:
    capture = take(TensorStore(1000, share_of_outputs=0.0), torch.ones(2, 3))

    with pytest.raises(
        NotKeptError,
        match=re.escape(
            "The 2×3 float32 tensor was not kept: over the memory limit keep_bytes=1,000; "
            "raise it, or watch fewer modules with only=."
        ),
    ):
        capture.tensor  # noqa: B018  # reading is what raises


def test_the_error_says_that_a_single_tensor_is_too_large() -> None:
    capture = take(TensorStore(1000), torch.ones(100))

    with pytest.raises(
        NotKeptError,
        match=re.escape(
            "The 100 float32 tensor was not kept: 400 bytes are over a quarter of the limit keep_bytes=1,000; "
            "select its module in the picture or raise the limit."
        ),
    ):
        capture.tensor  # noqa: B018  # reading is what raises


def test_a_tensor_that_somebody_looks_at_is_kept_up_to_the_whole_limit() -> None:
    store = TensorStore(1000)
    store.wanted = frozenset({"looked.at"})

    wanted = take(store, torch.ones(250), "looked.at")
    other = take(store, torch.ones(1), "other")

    assert (wanted.is_kept, other.is_kept) == (True, False)


def test_a_wanted_tensor_over_the_whole_limit_is_not_kept() -> None:
    store = TensorStore(1000)
    store.wanted = frozenset({"looked.at"})

    assert not take(store, torch.ones(251), "looked.at").is_kept


def test_a_meta_tensor_is_not_kept_takes_no_bytes_and_says_why() -> None:
    store = TensorStore(1000)

    capture = take(store, torch.empty(2, device="meta"))

    assert (capture.is_kept, store.kept_bytes) == (False, 0)
    with pytest.raises(
        NotKeptError, match=r"^The 2 float32 tensor holds no values: shape and dtype only \(meta or fake tensor\)\.$"
    ):
        capture.tensor  # noqa: B018  # reading is what raises


def test_an_expanded_tensor_is_charged_for_what_its_copy_takes() -> None:
    store = TensorStore(4000)

    take(store, torch.ones(1).expand(100))

    assert store.kept_bytes == 400


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
