"""In a run that nobody observes, only the outermost seam stands, and afterwards all are back."""

import pytest
import torch
from torch import nn

from hookviz.hooks.probe import Probe
from hookviz.hooks.seam import ATTRIBUTE
from tests.models import wired
from tests.notes import Notes, probed, raising


def watched_inside(notes: Notes) -> tuple[nn.Module, list[bool]]:
    """A model that was observed once and is no more, and whether its part had a seam in each run."""
    seen: list[bool] = []

    def look(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
        seen.append(model.part.__dict__.get(ATTRIBUTE) is not None)
        return model.part(x)  # type: ignore[no-any-return, operator]  # nn.Module's attributes have no types

    model = wired(look, part=nn.Identity())
    probed(model, notes)
    model(torch.ones(1))
    notes.observes, notes.lines = False, []
    return model, seen


def test_in_an_unobserved_run_no_seam_stands_inside_and_afterwards_all_are_back() -> None:
    notes = Notes()
    model, seen = watched_inside(notes)

    model(torch.ones(1))
    model.part(torch.ones(1))  # type: ignore[operator]  # nn.Module's attributes have no types

    assert seen == [True, False]
    assert notes.lines == ["begin", "begin part"]


def test_seams_are_back_after_an_unobserved_run_that_raises() -> None:
    notes = Notes()
    model, _ = watched_inside(notes)
    model.part = raising(ValueError("no"))
    notes.observes = True
    with pytest.raises(ValueError, match="no"):
        model(torch.ones(1))
    notes.observes = False

    with pytest.raises(ValueError, match="no"):
        model(torch.ones(1))

    assert all(module.__dict__[ATTRIBUTE] is not None for module in model.modules() if module is not model.part)


def test_removing_within_an_unobserved_run_leaves_nothing() -> None:
    notes = Notes()
    probes: list[Probe] = []

    def leave(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
        if not notes.observes:
            probes[0].remove(model.modules())
        return model.part(x)  # type: ignore[no-any-return, operator]  # nn.Module's attributes have no types

    model = wired(leave, part=nn.Identity())
    probes.append(probed(model, notes))
    model(torch.ones(1))
    notes.observes = False

    model(torch.ones(1))

    assert all(ATTRIBUTE not in module.__dict__ for module in model.modules())


def test_a_seam_that_another_watcher_shares_stays_in_an_unobserved_run() -> None:
    notes, others = Notes(), Notes()
    model, seen = watched_inside(notes)
    probed(model.part, others)  # type: ignore[arg-type]  # nn.Module's attributes have no types

    model(torch.ones(1))

    assert seen[-1]
    assert others.lines == ["begin", "enter", "leave", "end"]


def test_the_listener_is_told_what_observing_and_what_noticing_took() -> None:
    notes = Notes()
    model, _ = watched_inside(notes)

    model(torch.ones(1))

    assert [what for what, _ in notes.seconds] == ["observed", "unobserved"]
    assert all(0 < seconds < 1 for _, seconds in notes.seconds)
