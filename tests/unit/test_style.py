"""The colours of the diagram can be read and told apart."""

import pytest

from hookviz.diagram.style import PALETTE, look_of

BACKGROUNDS = ["paper", "card", "group", "terminal", "shade"]


@pytest.mark.parametrize(
    ("text", "background"),
    [
        *((text, background) for text in ("ink", "muted") for background in BACKGROUNDS),
        *((text, background) for text in ("value", "gradient", "trouble") for background in ("card", "group")),
        ("off", "shade"),
        ("off", "group"),
    ],
)
def test_text_reaches_aa_on_each_background_it_stands_on(text: str, background: str) -> None:
    ratio = contrast(getattr(PALETTE, text), getattr(PALETTE, background))

    assert ratio >= 4.5


@pytest.mark.parametrize("background", ["paper", "card", "group"])
@pytest.mark.parametrize("line", ["line", "trouble"])
def test_borders_and_edges_reach_aa_for_graphics(line: str, background: str) -> None:
    ratio = contrast(getattr(PALETTE, line), getattr(PALETTE, background))

    assert ratio >= 3


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#ffffff", "#000000") == 21
    assert round(contrast("#777777", "#ffffff"), 2) == 4.48


def test_no_two_states_look_alike_unless_both_are_plain() -> None:
    looks = {
        state: look_of("module", state, has_trouble=False) for state in ("captured", "off", "failed", "unobservable")
    }

    assert len(set(looks.values())) == 4
    assert look_of("module", "idle", has_trouble=False) == looks["captured"]


def test_trouble_is_red_whatever_the_state() -> None:
    assert look_of("module", "captured", has_trouble=True).border == PALETTE.trouble
    assert look_of("group", "off", has_trouble=True).border == PALETTE.trouble


def contrast(color: str, other: str) -> float:
    """https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio."""
    lighter, darker = sorted((luminance(color), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(color: str) -> float:
    """https://www.w3.org/TR/WCAG22/#dfn-relative-luminance."""
    channels = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
