"""What of a model cannot be observed is said, and the rest is shown."""

import pytest
import torch
from torch import nn

import hookviz
from hookviz.session import ModuleView, watch
from tests.models import fc


@pytest.mark.filterwarnings("ignore:.*torch.jit.*:DeprecationWarning")
def test_a_model_that_was_compiled_from_outside_is_said_to_be_so_in_its_text() -> None:
    model = nn.Sequential(fc())
    session = watch(model)
    before = session.text()

    compiled = torch.compile(model)

    assert compiled is not model
    first, second, *rest = session.text().splitlines()
    assert second == "torch.compile(model) was made: calls of its result are not observable, those of the model are"
    assert [first, *rest] == before.splitlines()


@pytest.mark.filterwarnings("ignore:.*torch.jit.*:DeprecationWarning")
def test_of_a_scripted_model_the_structure_is_shown_and_the_rest_said() -> None:
    model = torch.jit.script(nn.Sequential(fc(), nn.ReLU()))
    session = watch(model)

    output = model(torch.ones(1, 4))

    assert output.shape == (1, 4)
    assert session.paths() == ["", "0", "1"]
    assert session.unobservable()[0] == "the model: compiled: not observable"
    assert "<svg" in session.svg()
    inner = session["0"]
    assert isinstance(inner, ModuleView)
    with pytest.raises(hookviz.NotCapturedError, match=r"compiled: not observable"):
        inner.output  # noqa: B018  # reading is what raises
