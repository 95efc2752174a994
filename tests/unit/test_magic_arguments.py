"""The line of ``%hookviz``: models are expressions, options are checked."""

import pytest
from IPython.core.error import UsageError
from torch import nn

from hookviz.magic.arguments import help_text, parse, split, words_of
from hookviz.session import WatchOptions

SHARE = "expected a share above 0 and at most 1, such as 0.05 or 5%"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("model", ["model"]),
        ("generator   discriminator", ["generator", "discriminator"]),
        ('models["a b"] --depth 2', ['models["a b"]', "--depth", "2"]),
        ("nn.Sequential(nn.Linear(2, 3), nn.ReLU())", ["nn.Sequential(nn.Linear(2, 3), nn.ReLU())"]),
        (r"models['it\'s ('] x", [r"models['it\'s (']", "x"]),
        ("f(')') g", ["f(')')", "g"]),
        ("  ", []),
        ("model  # the best --depth 2", ["model"]),
        ("# nothing", []),
        ("models['#'] --name a#b", ["models['#']", "--name", "a#b"]),
    ],
)
def test_spaces_part_words_outside_of_brackets_and_quotes_up_to_a_comment(line: str, words: list[str]) -> None:
    assert split(line) == words


@pytest.mark.parametrize(("line", "missing"), [("models[(0]", ")"), ("f(x", ")"), ("d['a]", "'")])
def test_bracket_or_quote_that_is_not_closed_is_named(line: str, missing: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(line)

    assert str(caught.value) == f"%hookviz: a {missing} is missing in: {line}"


def test_only_given_options_are_passed_on() -> None:
    request = parse("model")

    assert request.models == ("model",)
    assert request.options == {}


def test_what_is_on_can_be_taken_back() -> None:
    assert parse("model --no-inputs --gradients").options == {"inputs": False, "gradients": True}


def test_options_are_written_as_the_magic_takes_them() -> None:
    options = WatchOptions().changed(
        only=["layer4.*", nn.Linear], exclude="fc", inputs=True, gradients=False, keep_bytes=64, every=3, exact=True
    )

    assert words_of(options, leave_out={"exclude"}) == (
        "--only layer4.* --only Linear --inputs --no-gradients --keep 64 --every 3 exact=True"
    )


def test_usual_options_need_no_words() -> None:
    assert words_of(WatchOptions()) == ""


def test_every_option_is_understood() -> None:
    request = parse(
        "--inputs generator --only 'layer4.*' --only=fc --exclude *.bn --no-gradients --every 10 "
        '--overhead 2% --keep 1.5GB --depth 3 --direction lr --colour-by time --name "My net" discriminator'
    )

    assert request.models == ("generator", "discriminator")
    assert request.depth == 3
    assert request.direction == "LR"
    assert request.colour_by == "time"
    assert request.name == "My net"
    assert request.options == {
        "inputs": True,
        "gradients": False,
        "only": ["layer4.*", "fc"],
        "exclude": ["*.bn"],
        "every": 10,
        "overhead": 0.02,
        "keep_bytes": 1_610_612_736,
    }


@pytest.mark.parametrize(
    ("size", "expected"),
    [("1024", 1024), ("256MB", 268_435_456), ("256mb", 268_435_456), ("1GiB", 1_073_741_824), ("0.5K", 512)],
)
def test_sizes_have_units(size: str, expected: int) -> None:
    assert parse(f"model --keep {size}").options == {"keep_bytes": expected}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("model --dept 2", "%hookviz: unrecognized arguments: --dept 2. All options: %hookviz?"),
        ("model --depth two", "%hookviz: argument --depth: expected a whole number, 0 or more, got 'two'. "),
        ("model --direction down", "argument --direction: expected TB or LR, got 'down'"),
        (
            "model --colour-by size",
            "--colour-by: expected one of scale, gradient, zeros, time, memory, parameters, got 'size'",
        ),
        ("model --depth -1", "argument --depth: expected a whole number, 0 or more, got '-1'"),
        ("model --every 0", "argument --every: expected a whole number, 1 or more, got '0'"),
        ("model --keep lots", "%hookviz: argument --keep: expected a size above 0, such as 256MB, got 'lots'. "),
        ("model --keep 0", "argument --keep: expected a size above 0, such as 256MB, got '0'"),
        ("model --overhead 0", f"argument --overhead: {SHARE}, got '0'"),
        ("model --overhead 200%", f"argument --overhead: {SHARE}, got '200%'"),
        ("model --overhead much", f"argument --overhead: {SHARE}, got 'much'"),
        ("model --every", "argument --every: expected one argument"),
    ],
)
def test_mistake_is_told_in_one_line(line: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(line)

    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_help_names_every_option() -> None:
    options = ["--depth", "--only", "--exclude", "--inputs", "--no-gradients", "--every", "--overhead", "--keep"]

    assert [option for option in [*options, "--name", "--off", "--list"] if option not in help_text()] == []


def test_stopping_at_a_nan_is_an_option_that_can_be_taken_back() -> None:
    assert parse("model --stop-on-nan").options == {"stop_on_nan": True}
    assert parse("model --no-stop-on-nan").options == {"stop_on_nan": False}
