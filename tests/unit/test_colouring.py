"""From numbers to places on the scale of colours."""

import math

import pytest

from hookviz.diagram.ramp import DARK, LIGHT, colour_at
from hookviz.errors import OptionError
from hookviz.graph.colour_by import MEASURES, measure_named
from hookviz.graph.colouring import Mark, colouring_of


def test_a_narrow_range_is_linear() -> None:
    found = colouring_of("time", {"a": 0.001, "b": 0.002, "c": 0.005}, {})

    assert (found.low, found.high, found.is_log) == ("1 ms", "5 ms", False)
    assert found.marks == {"a": Mark("1 ms", 0.0), "b": Mark("2 ms", 0.25), "c": Mark("5 ms", 1.0)}


def test_a_wide_range_is_logarithmic_with_zeros_at_its_beginning() -> None:
    found = colouring_of("memory", {"none": 0, "a": 100, "b": 1000, "c": 10_000}, {})

    assert (found.low, found.high, found.is_log) == ("100 B", "10 kB", True)
    assert [mark.place for mark in found.marks.values()] == [0.0, 0.0, 0.5, 1.0]


def test_shares_of_zeros_lie_on_the_whole_scale_from_none_to_all() -> None:
    found = colouring_of("zeros", {"a": 0.25, "b": 0.5}, {}, is_about=True)

    assert (found.low, found.high) == ("0 %", "100 %")
    assert found.marks == {"a": Mark("≈25 %", 0.25), "b": Mark("≈50 %", 0.5)}


def test_boxes_are_told_and_neither_coloured_nor_on_the_scale() -> None:
    found = colouring_of("time", {"a": 0.001, "b": 0.002}, {"box": 1.0})

    assert found.high == "2 ms"
    assert found.marks["box"] == Mark("1 s", None)


def test_numbers_that_are_not_finite_are_told_and_not_coloured() -> None:
    found = colouring_of("scale", {"a": 1.0, "b": math.nan, "c": math.inf, "d": 2.0}, {})

    assert found.high == "2"
    assert (found.marks["b"], found.marks["c"]) == (Mark("NaN", None), Mark("Inf", None))


def test_equal_numbers_lie_in_the_middle() -> None:
    assert colouring_of("scale", {"a": 3.0, "b": 3.0}, {}).marks["a"].place == 0.5


def test_without_numbers_there_is_a_reason() -> None:
    found = colouring_of("gradient", {}, {}, note="no backward yet")

    assert (found.low, found.high, found.note, found.marks) == ("", "", "no backward yet", {})


@pytest.mark.parametrize(
    ("by", "number", "text"),
    [
        ("time", 4.2e-06, "4.2 µs"),
        ("time", 0.99996, "1 s"),
        ("time", 75.0, "75 s"),
        ("memory", 48, "48 B"),
        ("memory", 999_990, "1 MB"),
        ("memory", 12_345_678, "12.3 MB"),
        ("zeros", 0.001, "<1 %"),
        ("zeros", 0.999, ">99 %"),
        ("zeros", 1.0, "100 %"),
        ("scale", 0.00314, "3.1e-03"),
        ("scale", 12.345, "12.3"),
        ("scale", -math.inf, "-Inf"),
        ("gradient", 0.0, "0"),
        ("parameters", 20_123, "20.1k"),
    ],
)
def test_a_number_is_written_in_few_characters(by: str, number: float, text: str) -> None:
    assert MEASURES[measure_named(by)].text(number) == text


def test_another_number_than_there_are_is_refused_with_the_nearest() -> None:
    with pytest.raises(OptionError) as raised:
        measure_named("gradients")

    assert str(raised.value) == (
        "Cards are not coloured by 'gradients'. Nearest: 'gradient'. "
        "There are 'scale', 'gradient', 'zeros', 'time', 'memory', 'parameters'; without colours: None."
    )


def luminance(colour: str) -> float:
    """Relative luminance; https://www.w3.org/TR/WCAG22/#dfn-relative-luminance."""
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize(("ramp", "ink"), [(LIGHT, "#1f2937"), (DARK, "#e6e9ee")])
def test_ink_is_readable_on_the_whole_scale(ramp: tuple[str, ...], ink: str) -> None:
    for step in range(101):
        light, dark = sorted([luminance(colour_at(step / 100, ramp)), luminance(ink)], reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5


@pytest.mark.parametrize(("ramp", "direction"), [(LIGHT, -1), (DARK, 1)])
def test_lightness_alone_tells_the_order(ramp: tuple[str, ...], direction: int) -> None:
    lightness = [direction * luminance(colour_at(step / 100, ramp)) for step in range(101)]

    assert lightness == sorted(lightness)


def test_the_ends_of_the_scale_have_the_colours_of_the_ramp() -> None:
    assert [colour_at(place) for place in (-1, 0, 0.125, 1, 2)] == [LIGHT[0], LIGHT[0], "#fde8c6", LIGHT[-1], LIGHT[-1]]
