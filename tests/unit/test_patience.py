"""How many runs it takes to judge is told as the thresholds have it."""

from pathlib import Path

import hookviz
from hookviz.health.patience import JUDGED

README = " ".join((Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8").split())


def test_the_numbers_are_told_in_words() -> None:
    assert JUDGED == (
        "NaN, infinities and explosions are told at once. Dead units are judged once 200 values of each were seen, "
        "and told if they are 40 % of a layer; layers that give only 0, fading gradients and saturated "
        "activations from 3 captured runs on; that nothing moves after 20 runs with a backward."
    )


def test_readme_and_help_tell_the_same_numbers() -> None:
    assert "dead units are judged once 200 values of each were seen, and told if they are 40 % of a layer" in README
    assert "saturated activations from 3 captured runs on" in README
    words = " ".join((hookviz.Session.health.__doc__ or "").split())
    assert "Dead units are judged once 200 values of each were captured" in words
    assert "saturation from 3 captured runs on" in words
