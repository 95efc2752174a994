"""Any tensor is a flat row of real numbers, or says why not."""

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from hookviz.capture.numbers import real_values


def row(tensor: torch.Tensor) -> tuple[list[float], str]:
    values, note = real_values(tensor)
    assert values is not None
    assert values.dim() == 1
    return values.tolist(), note


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_floats_are_themselves(dtype: torch.dtype) -> None:
    assert row(torch.tensor([[1.5, -2.0]], dtype=dtype)) == ([1.5, -2.0], "")


def test_integers_are_exact_up_to_the_digits_of_float64() -> None:
    assert row(torch.tensor([2**53, -1])) == ([9007199254740992.0, -1.0], "")


def test_bools_are_zeros_and_ones() -> None:
    assert row(torch.tensor([True, False])) == ([1.0, 0.0], "")


def test_complex_numbers_are_their_magnitudes() -> None:
    assert row(torch.tensor([3 + 4j])) == ([5.0], "complex tensor: statistics of the magnitudes")


def test_sparse_tensors_are_their_stored_values_with_doubles_added() -> None:
    places, values = torch.tensor([[0, 0, 2]]), torch.tensor([1.0, 2.0, 5.0])
    coo = torch.sparse_coo_tensor(places, values, (4,), check_invariants=True)

    assert row(coo) == ([3.0, 5.0], "sparse tensor: statistics of the stored values")


@pytest.mark.filterwarnings("ignore:Sparse CSR tensor support is in beta")
def test_csr_tensors_are_their_stored_values() -> None:
    csr = torch.tensor([[0.0, 4.0], [6.0, 0.0]]).to_sparse_csr()

    assert row(csr) == ([4.0, 6.0], "sparse tensor: statistics of the stored values")


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
def test_nested_tensors_are_all_their_parts_together() -> None:
    nested = torch.nested.nested_tensor([torch.tensor([1.0]), torch.tensor([2.0, 3.0])])

    assert row(nested) == ([1.0, 2.0, 3.0], "nested tensor: all its parts together")


@pytest.mark.parametrize("dtype", [torch.float32, torch.int64, torch.float16])
def test_meta_tensors_hold_no_values(dtype: torch.dtype) -> None:
    values, note = real_values(torch.empty(2, device="meta", dtype=dtype))

    assert values is None
    assert note == "holds no values: shape and dtype only (meta or fake tensor)"


def test_fake_tensors_hold_no_values() -> None:
    with FakeTensorMode() as mode:
        fake = mode.from_tensor(torch.ones(2))

    assert real_values(fake) == (None, "holds no values: shape and dtype only (meta or fake tensor)")


@pytest.mark.filterwarnings("ignore:.*quantiz.*")
def test_quantized_tensors_are_dequantized() -> None:
    quantized = torch.quantize_per_tensor(torch.tensor([0.5, 1.0]), 0.5, 0, torch.qint8)

    assert row(quantized) == ([0.5, 1.0], "quantized tensor: statistics of the dequantized values")


def test_a_transposed_tensor_is_read_in_the_order_of_memory_without_a_copy() -> None:
    tensor = torch.arange(6.0).reshape(2, 3)

    values, _ = real_values(tensor.t())

    assert values is not None
    assert values.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    assert values.data_ptr() == tensor.data_ptr()


def test_a_channels_last_tensor_is_read_without_a_copy() -> None:
    tensor = torch.randn(2, 3, 4, 4).contiguous(memory_format=torch.channels_last)

    values, _ = real_values(tensor)

    assert values is not None
    assert values.data_ptr() == tensor.data_ptr()
    assert sorted(values.tolist()) == sorted(tensor.flatten().tolist())


def test_a_transposed_slice_starts_at_its_own_offset() -> None:
    tensor = torch.arange(12.0).reshape(3, 4)[1:].t()

    assert row(tensor)[0] == [4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0]


def test_an_expanded_tensor_counts_each_of_its_elements() -> None:
    assert row(torch.tensor([7.0]).expand(3))[0] == [7.0, 7.0, 7.0]


def test_a_view_with_gaps_gives_its_own_elements_only() -> None:
    assert row(torch.arange(6.0)[::2])[0] == [0.0, 2.0, 4.0]
