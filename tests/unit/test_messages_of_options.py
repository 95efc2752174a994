"""Options that cannot be: which one, what was given, and what it takes."""

from typing import Any

import pytest
from torch import nn

import hookviz
from hookviz.session import watch
from tests.exactly import exactly
from tests.models import fc


@pytest.mark.parametrize("option", ["only", "exclude"])
def test_a_pattern_that_matches_nothing(option: str) -> None:
    model = nn.ModuleDict({"layer1": fc()})

    with pytest.raises(
        hookviz.PatternError,
        match=exactly(
            "The pattern 'layr1' matches none of the 2 modules. Nearest: 'layer1'. "
            'Write a path, a path with * ("layer4.*"), or a class ("Linear"); all paths: dict(model.named_modules()).'
        ),
    ):
        watch(model, **{option: "layr1"})  # type: ignore[arg-type]  # parametrized


def test_a_class_that_no_module_has() -> None:
    model = nn.Sequential(fc())

    with pytest.raises(hookviz.PatternError, match=r"^The pattern Conv2d matches none of the 2 modules\. Write a path"):
        watch(model, only=nn.Conv2d)


KEEP = "keep_bytes is how many bytes of tensors may be kept, 1 or more; got {}. The default is 268435456 (256 MB)."


HISTORY = "history is how many captured runs are remembered, 1 or more; got {}. The default is 200."


EVERY = "every must be 1 (each run) or more; got {}. To stop, call session.pause()."


OVERHEAD = (
    "overhead is the share of the time that capturing may take, above 0 and at most 1; got {}. "
    "The default is 0.05; to stop capturing, call session.pause()."
)


@pytest.mark.parametrize(
    ("option", "value", "text"),
    [
        ("keep_bytes", 0, KEEP.format("0")),
        ("keep_bytes", -5, KEEP.format("-5")),
        ("history", 0, HISTORY.format("0")),
        ("history", -1, HISTORY.format("-1")),
        ("overhead", 0.0, OVERHEAD.format("0.0")),
        ("overhead", -0.1, OVERHEAD.format("-0.1")),
        ("every", 0, EVERY.format("0")),
        ("every", -2, EVERY.format("-2")),
    ],
)
def test_a_limit_of_zero_or_below(option: str, value: float, text: str) -> None:
    model = fc()
    before = set(model.__dict__)

    with pytest.raises(hookviz.LimitError, match=exactly(text)):
        watch(model, **{option: value})  # type: ignore[arg-type]  # parametrized

    assert set(model.__dict__) == before


WHOLE_RUNS = "a whole number of runs, such as"


PATTERNS = (
    'a path ("fc"), a path with * ("layer4.*"), the name of a class ("Linear"), a module class, or several in a list'
)


@pytest.mark.parametrize(
    ("option", "value", "text"),
    [
        ("only", 3, f"only is {PATTERNS}; got 3 (int)."),
        ("only", ["fc", int], f"only is {PATTERNS}; got <class 'int'> (type)."),
        ("exclude", {"fc": 1}, f"exclude is {PATTERNS}; got {{'fc': 1}} (dict)."),
        ("inputs", "yes", "inputs is True or False; got 'yes' (str)."),
        ("gradients", 0, "gradients is True or False; got 0 (int)."),
        ("exact", 1.0, "exact is True or False; got 1.0 (float)."),
        ("keep_bytes", "1MB", "keep_bytes is a whole number of bytes, such as 64 * 2**20; got '1MB' (str)."),
        ("keep_bytes", 1e6, "keep_bytes is a whole number of bytes, such as 64 * 2**20; got 1000000.0 (float)."),
        ("overhead", "x", "overhead is a share of the time, such as 0.05; got 'x' (str)."),
        ("every", 1.5, f"every is {WHOLE_RUNS} 10; got 1.5 (float)."),
        ("every", True, f"every is {WHOLE_RUNS} 10; got True (bool)."),
        ("history", "a", f"history is {WHOLE_RUNS} 200; got 'a' (str)."),
    ],
)
def test_an_option_of_a_wrong_type(option: str, value: object, text: str) -> None:
    model = fc()

    with pytest.raises(hookviz.OptionError, match=exactly(text)):
        watch(model, **{option: value})  # type: ignore[arg-type]  # that is the mistake


@pytest.mark.parametrize(("depth", "shown"), [(-1, "-1"), ("2", "'2'"), (1.5, "1.5")])
def test_a_depth_that_is_no_depth(depth: Any, shown: str) -> None:
    model = fc()
    session = watch(model)

    with pytest.raises(
        hookviz.OptionError,
        match=exactly(f"depth is how many levels are unfolded, a whole number from 0; got {shown}."),
    ):
        session.text(depth=depth)
