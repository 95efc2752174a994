"""Whatever names, reprs, tensors and messages contain, it is shown as text, and nothing of it becomes markup."""

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from hookviz.session import watch
from hookviz.widget import HookViz
from hookviz.widget.commands import answer
from hookviz.widget.presentation import presentation_of
from tests.cases.comparison import assert_captured
from tests.views import at

NAMES = {
    "markup": "<script>alert(1)</script><b onclick='x'>&amp;</b>",
    "an element of SVG": "</text></svg><svg onload=alert(1)><foreignObject>",
    "quotes": '"\'`\\"]; node [label=<x>]; //',
    "braces": "{a|<b>c}\\n\\l\\N\\G ${x}",
    "control characters": "a\x00b\x01c\x08d\x1be\x7ff\x85g\tnew\nline\r",
    "right to left": "\u202egnp_exe\u202c\u2067x\u2069\u200f",
    "surrogates and others": "\ud800 \ufffe \uffff \U0001f525 \u0301",
    "spaces": "   ",
    "ten thousand characters": "x" * 10_000,
    "ten thousand signs of markup": "<&\"'" * 2_500,
}

EVENTS = ("on", "href", "{http://www.w3.org/1999/xlink}href")


def hostile(name: str) -> nn.Module:
    """A model in which everything has this name."""
    kind: Any = type(name.replace("\x00", "").encode("utf-8", "replace").decode() or "x", (nn.Sequential,), {})
    inner = kind()
    inner.add_module(name, nn.Linear(3, 3))
    outer = kind()
    outer.add_module(name, inner)
    outer.register_parameter(f"{name} too", nn.Parameter(torch.ones(3)))

    def hook(_module: nn.Module, _args: object, output: Tensor) -> Tensor:
        return output * 2

    hook.__name__ = hook.__qualname__ = name
    inner.register_forward_hook(hook)
    model: nn.Module = outer
    return model


def assert_harmless(svg: str) -> None:
    """It is XML, and has neither elements nor attributes that could do something."""
    for element in ET.fromstring(svg).iter():
        tag = element.tag.rpartition("}")[2]
        assert tag in {
            "svg",
            "g",
            "title",
            "polygon",
            "path",
            "text",
            "tspan",
            "ellipse",
            "rect",
            "line",
            "polyline",
            "defs",
            "style",
            "a",
            "circle",
            "linearGradient",
            "stop",
            "clipPath",
            "marker",
        }, tag
        assert not [name for name in element.attrib if name.lower().startswith(EVENTS)]


@pytest.mark.parametrize("name", NAMES.values(), ids=list(NAMES))
def test_a_name_is_text_wherever_it_is_shown(name: str) -> None:
    model = hostile(name)
    with watch(model, every=1) as session:
        model(torch.ones(2, 3)).sum().backward()
        widget = HookViz(session)

        assert_harmless(session.svg())
        assert_harmless(widget.svg)
        assert session.png().startswith(b"\x89PNG")
        assert "\x1b" not in session.text()
        assert "\x00" not in session.text()
        assert session.problem == ""
        assert widget.status["state"] == "live"
        traits = {trait: getattr(widget, trait) for trait in ("graph", "node_data", "status", "hooks", "switches")}
        assert json.loads(json.dumps(traits, allow_nan=False)) == traits
        assert len(at(session, f"{name}.{name}").calls) == 1
        assert [effect.outcome for effect in session.effects(name)] == ["changed"]
        widget.close()


@pytest.mark.parametrize("name", NAMES.values(), ids=list(NAMES))
def test_the_message_of_an_exception_is_text(name: str) -> None:
    def fail(*_: object) -> None:
        raise ValueError(name)

    model = nn.Sequential(nn.Linear(3, 3), nn.ReLU())
    model[1].register_forward_hook(fail)
    with watch(model, every=1) as session:
        with pytest.raises(ValueError) as caught:  # noqa: PT011  # the message is looked at below
            model(torch.ones(2, 3))
        widget = HookViz(session)

        assert caught.value.args == (name,)
        assert_harmless(session.svg())
        assert "\x1b" not in session.text()
        assert widget.status["trouble"]["path"] == "1"
        assert len(widget.status["trouble"]["text"]) < 1000
        widget.close()


class Unspeakable(nn.Linear):
    """Neither it nor what it adds can be put into words."""

    def __repr__(self) -> str:
        raise RuntimeError("no words")

    def extra_repr(self) -> str:
        raise RuntimeError("no words")

    def _get_name(self) -> str:
        raise RuntimeError("no words")


class UnspeakableHook:
    def __call__(self, _module: nn.Module, _args: object, output: Tensor) -> Tensor:
        return output * 2

    def __repr__(self) -> str:
        raise RuntimeError("no words")

    __str__ = __repr__


class UnspeakableError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")

    __repr__ = __str__


def test_modules_hooks_and_errors_whose_repr_raises_are_shown() -> None:
    model = nn.Sequential(Unspeakable(3, 3))
    model[0].register_forward_hook(UnspeakableHook())
    with watch(model, every=1) as session:
        y = model(torch.ones(2, 3))
        widget = HookViz(session)

        assert_captured([at(session, "0").output.tensor], [y])
        assert_harmless(session.svg())
        assert "Unspeakable" in session.text()
        assert [hook.label for hook in session.hooks] == ["UnspeakableHook.__call__"]
        repr(session)
        repr(session.hooks)
        repr(at(session, "0"))
        assert session.problem == ""

        def fail(*_: object) -> None:
            raise UnspeakableError

        model[0].register_forward_hook(fail)
        with pytest.raises(UnspeakableError):
            model(torch.ones(2, 3))
        assert "UnspeakableError" in session.text()
        assert session.problem == ""
        widget.close()


@pytest.mark.parametrize("is_kept", [True, False])
@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: torch.empty(0), ""),
        (lambda: torch.empty(2, 0, 3), ""),
        (lambda: torch.empty(2**31, device="meta"), "meta"),
        (lambda: torch.empty(2**31, 2**20, device="meta", dtype=torch.bfloat16), "meta"),
        (lambda: torch.full((3, 4), float("nan")), ""),
        (lambda: torch.full((3, 4), float("inf")), ""),
        (lambda: torch.tensor(float("-inf")), ""),
        (lambda: torch.tensor([3.4e38, -3.4e38]), ""),
        (lambda: torch.zeros(1).expand(2**20), ""),
        (lambda: torch.tensor([True, False]), ""),
        (lambda: torch.tensor([2**63 - 1, -(2**63)]), ""),
        (lambda: torch.zeros((1,) * 40), ""),
        (lambda: torch.empty(2, 3, dtype=torch.float8_e4m3fn), ""),
    ],
)
def test_tensors_at_the_edge_are_measured_and_shown(make: Callable[[], Tensor], said: str, is_kept: bool) -> None:
    model = nn.Sequential(nn.Identity())
    x = make()
    with watch(model, every=1, inputs=True, keep_bytes=2**20 if is_kept else 1) as session:
        model(x)
        widget = HookViz(session)

        summary = at(session, "0").output.summary
        assert summary.shape == tuple(x.shape)
        assert summary.numel == x.numel()
        assert said in summary.note
        assert_harmless(session.svg())
        session.text()
        for tab in ("output", "input"):
            content, _ = answer(
                presentation_of(session),
                {"id": 1, "command": "inspect", "node_id": "module:0", "call": 0, "tab": tab},
            )
            assert "reply" in content
            json.dumps(content, allow_nan=False)
            for entry in range(1):
                content, _ = answer(
                    presentation_of(session),
                    {"id": 1, "command": "picture", "node_id": "module:0", "call": 0, "tab": tab, "entry": entry},
                )
                assert not content.get("error", "").startswith("hookviz failed")
                json.dumps(content, allow_nan=False)
        assert session.problem == ""
        widget.close()


def test_all_nan_is_counted_and_told() -> None:
    model = nn.Sequential(nn.ReLU())
    with watch(model, every=1) as session:
        model(torch.full((3, 4), float("nan")))

        assert at(session, "0").output.summary.nans == 12
        assert "NaN 12 of 12" in session.text()


TEXTS = st.text(st.characters(codec=None), max_size=40)


@given(name=TEXTS.filter(lambda name: name and "." not in name))
@settings(max_examples=25, deadline=None)
def test_any_name_in_a_diagram_stays_text(name: str) -> None:
    model = nn.Sequential()
    model.add_module(name, nn.Sequential(nn.Linear(1, 1)))
    with watch(model) as session:
        model(torch.ones(1, 1))

        assert_harmless(session.svg())
