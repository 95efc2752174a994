"""A command with whatever fields from the browser is answered, with an error where it makes no sense."""

import json
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from torch import nn

from hookviz.session import Session, watch
from hookviz.widget.commands import COMMANDS, answer
from hookviz.widget.presentation import presentation_of

FIELDS = {
    "id",
    "command",
    "node_id",
    "call",
    "tab",
    "entry",
    "row_axis",
    "column_axis",
    "index",
    "path",
    "expanded",
    "depth",
    "what",
    "enabled",
    "paused",
    "format",
    "hook_ids",
    "hook_id",
    "intervention",
    "target",
    "at",
    "arguments",
    "values",
}


SCALARS: Any = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-2, 3)
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(
        [
            "module:0",
            "module:",
            "module:1.0",
            "0",
            "1",
            "output",
            "input",
            "grad_output",
            "parameters",
            "hooks",
            "outputs",
            "gradients",
            "svg",
            "dot",
            "scale",
            "zero",
            "replace",
            "noise",
            "clamp",
            "[:, 0]",
            "last",
            "first",
        ]
    )
)


VALUES: Any = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6) | st.just("factor"), inner, max_size=3)
    ),
    max_leaves=5,
)


COMMANDS_AND_MORE = st.fixed_dictionaries(
    {"id": st.integers(0, 9), "command": st.sampled_from(sorted(COMMANDS))},
    optional=dict.fromkeys(sorted(FIELDS - {"id", "command"}), VALUES),
)


@pytest.fixture
def session() -> Any:
    model = nn.Sequential(nn.Linear(3, 3), nn.Sequential(nn.ReLU()))
    model[0].register_forward_hook(lambda *_: None)
    with watch(model, every=1) as session:
        model(torch.ones(2, 3)).sum().backward()
        yield session
        assert session.model is model


@given(message=COMMANDS_AND_MORE | VALUES)
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_command_with_any_fields_is_answered(session: Session, message: object) -> None:
    content, buffers = answer(presentation_of(session), message)

    assert ("reply" in content) != ("error" in content)
    assert not content.get("error", "").startswith("hookviz failed"), (message, content)
    assert len(content.get("error", "")) < 2000
    assert all(isinstance(buffer, bytes) for buffer in buffers)
    json.dumps(content, allow_nan=False)
