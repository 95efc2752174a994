"""Warnings of a traced run name the user's line, and its errors have the user's traceback."""

import traceback
import warnings
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn import functional

from tests.models import fc, wired
from tests.tracing_seam import trace


def warned(run: Callable[[], object]) -> list[tuple[str, int]]:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        run()
    return [(warning.filename, warning.lineno) for warning in told]


@pytest.mark.parametrize(
    "operation",
    [
        functional.softmax,
        lambda x: functional.mse_loss(x, x[:1]),
        lambda x: torch.tensor(x.detach()),
        lambda x: functional.sigmoid(x).T.T if x.dim() == 2 else x,
    ],
    ids=["by python", "by python of a loss", "by a factory", "none"],
)
def test_warnings_name_the_same_line_as_without_a_trace(operation: Callable[[torch.Tensor], Any]) -> None:
    model = wired(lambda m, x: operation(m.fc(x)), fc=fc())
    x = torch.ones(2, 4)

    expected = warned(lambda: model(x))
    told = warned(lambda: trace(model, x))

    assert told == expected


def test_a_warning_of_compiled_code_names_the_user_s_line() -> None:
    model = wired(lambda m, x: m.fc(x).expand(2, 2, 4).T.sum(), fc=fc())
    torch.set_warn_always(True)
    try:
        expected = warned(lambda: model(torch.ones(2, 4)))
        told = warned(lambda: trace(model, torch.ones(2, 4)))
    finally:
        torch.set_warn_always(False)

    assert len(expected) == 1
    assert expected[0][0] == __file__
    assert told == expected


def test_a_filter_for_the_user_s_module_holds_in_a_traced_run() -> None:
    model = wired(lambda m, x: functional.softmax(m.fc(x)), fc=fc())

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", module=__name__)
        trace(model, torch.ones(2, 4))

    assert told == []


def test_the_traceback_of_an_operation_that_raised_has_no_frame_of_the_trace() -> None:
    model = nn.Sequential(wired(lambda m, x: m.fc(x).view(3), fc=fc()))

    with pytest.raises(RuntimeError, match="invalid for input") as raised:
        trace(model, torch.ones(2, 4))

    lines = [entry.line for entry in traceback.extract_tb(raised.value.__traceback__)]
    assert lines.count("model = nn.Sequential(wired(lambda m, x: m.fc(x).view(3), fc=fc()))") == 1
    assert "view(3)" in str(lines[-1])
