"""Text is made visible, measured and shortened."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookviz.diagram.typography import clip, clip_to_width, columns, mono_width, shorten, text_width, visible

ANY_TEXT = st.text(st.characters(exclude_categories=()))
LIMITS = st.integers(3, 50)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("conv1", "conv1"),
        ("한국어 😀 עברית é", "한국어 😀 עברית é"),
        ("a\nb\tc", r"a\nb\tc"),
        ("nul\x00bell\x07", r"nul\x00bell\x07"),
        ("half\ud800", r"half\ud800"),
        ("\u202eevil\u200f", r"\u202eevil\u200f"),
        ("\ufffe", r"\ufffe"),
        ("👩\u200d💻", "👩\u200d💻"),
    ],
)
def test_what_cannot_be_seen_is_written_as_an_escape(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(ANY_TEXT)
def test_visible_text_is_one_line_of_valid_unicode(text: str) -> None:
    shown = visible(text)

    assert shown.encode("utf-8").decode("utf-8") == shown
    assert len(shown.splitlines()) <= 1
    assert visible(shown) == shown


@pytest.mark.parametrize(("text", "count"), [("conv1", 5), ("한국", 4), ("😀", 2), ("e\u0301", 1), ("", 0)])
def test_columns_are_those_of_a_terminal(text: str, count: int) -> None:
    assert columns(text) == count


def test_widths_are_those_of_helvetica() -> None:
    # Core 14 AFM: H 722, e 556, l 222; bold: H 722, e 556, l 278.
    assert text_width("Hell", 10) == pytest.approx(17.22 * 1.04)
    assert text_width("Hell", 10, is_bold=True) == pytest.approx(18.34 * 1.04)
    assert mono_width(10, 10) == pytest.approx(60.2)


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("conv1", "conv1"),
        ("encoder.layer.11.attention", "encoder.…ttention"),
        ("한국어이름모듈입니다", "한국어이…듈입니다"),
    ],
)
def test_long_names_lose_their_middle(text: str, short: str) -> None:
    assert shorten(text, 17) == short


def test_ten_thousand_characters_become_a_name() -> None:
    assert shorten("x" * 10_000, 9) == "xxxx…xxxx"


def test_accents_without_end_do_not_get_through() -> None:
    assert len(shorten("e" + "\u0301" * 10_000, 10)) <= 21


@given(ANY_TEXT, LIMITS)
def test_shortened_text_keeps_to_its_columns(text: str, limit: int) -> None:
    assert columns(shorten(text, limit)) <= limit
    assert columns(clip(text, limit)) <= limit


@given(st.text(max_size=60), st.integers(20, 200))
def test_clipped_text_keeps_to_its_width(text: str, width: int) -> None:
    assert text_width(clip_to_width(text, width, 10), 10) <= width + 1e-6


def test_clipping_takes_the_end() -> None:
    assert clip("frozen: does not require grad", 14) == "frozen: does …"
    assert clip_to_width("RuntimeError: shapes", 60, 10) == "RuntimeEr…"
    assert clip_to_width("NaN", 60, 10) == "NaN"
