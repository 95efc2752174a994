"""A trial: one model run with hookviz and without, in several settings, and everything compared."""

import copy
import gc
import itertools
import threading
import warnings
import weakref
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import torch
from torch import nn
from torch.nn.parameter import is_lazy

from hookviz.session import Session, WatchOptions
from tests.cases.appearance import Appearance, appearance, by_name, changes
from tests.cases.zoo.effects import SETTINGS, Effects, Setting, step
from tests.cases.zoo.exhibit import Exhibit, Specimen
from tests.cases.zoo.truth import Difference, compare_calls, compare_gradients, compare_picture, compare_values
from tests.cases.zoo.witness import Witness, witnessing
from tests.left_behind import left_behind

NO_LIMIT: Final = 1 << 40
"""Bytes; every tensor of these models is kept."""

MOST_HOOKED: Final = 16
"""Modules, and parameters, of one model that get hooks: each takes a look at the whole model."""


@dataclass(frozen=True)
class Trouble:
    """Something that is not as it should be."""

    aspect: str
    setting: str
    text: str

    def __str__(self) -> str:
        return f"{self.aspect} in {self.setting}: {self.text}"


@dataclass
class Verdict:
    """What the trial of one model found."""

    name: str
    modules: int = 0
    calls: int = 0
    values: int = 0
    """How many captured tensors were compared with those that were seen without hookviz."""
    gradients: int = 0
    """How many captured gradients were compared with those of ``torch.autograd.grad``."""
    troubles: list[Trouble] = field(default_factory=list)
    notes: dict[str, list[str]] = field(default_factory=dict)
    """What a model does by itself, with the settings in which it does."""


def try_out(exhibit: Exhibit, settings: tuple[Setting, ...] = SETTINGS) -> Verdict:
    """Run a model in these settings: without hookviz, with a witness, watched, and watched with hooks.

    The hooks are written in float32 alone.
    """
    verdict = Verdict(exhibit.name)
    for setting in settings:
        _Trial(exhibit, setting, verdict).run()
    return verdict


@dataclass
class _Trial:
    exhibit: Exhibit
    setting: Setting
    verdict: Verdict

    def run(self) -> None:
        unwatched = self.model()
        expected = step(unwatched, self.specimen, self.setting)
        with witnessing(model := self.model()) as witness:
            again = step(model, self.specimen, self.setting, keeps_graph=True)
        self.verdict.modules = max(self.verdict.modules, len(list(model.modules())))
        self.verdict.calls = max(self.verdict.calls, len(witness.calls))
        if differences := [*expected.differences(again)]:
            self.note(f"not the same twice without hookviz ({differences[0][0]}: {differences[0][1]})")
            return
        if expected.error:
            self.note(f"raises {expected.error}")
        looks = by_name(appearance(unwatched))
        self.watched(expected, witness, again, looks, has_hooks=False)
        if self.setting.dtype is torch.float32:
            self.watched(expected, witness, again, looks, has_hooks=True)

    def watched(
        self, expected: Effects, witness: Witness, again: Effects, looks: Appearance, *, has_hooks: bool
    ) -> None:
        """The step with hookviz, compared with the one without."""
        found: list[Difference] = []
        threads = list(threading.enumerate())
        model = self.model()
        session = Session(model, WatchOptions(inputs=True, every=1, keep_bytes=NO_LIMIT))
        try:
            if has_hooks:
                write_hooks(session, model)
            found += expected.differences(step(model, self.specimen, self.setting))
            if session.problem:
                found.append(("calls", f"a fault: {session.problem}"))
            found += self.compare(session, witness, again)
        finally:
            session.close()
        found += [("left", sentence) for sentence in left_behind(threads)]
        found += [("left", sentence) for sentence in changes(looks, by_name(appearance(model)))]
        if self.setting == SETTINGS[0] and not has_hooks:
            dropped = weakref.ref(model)
            del model
            gc.collect()
            if dropped() is not None and self.lives_on():
                self.note("lives on after it was dropped")
            elif dropped() is not None:
                found.append(("left", "the closed session keeps the model alive"))
        setting = f"{self.setting}{', hooks' if has_hooks else ''}"
        self.verdict.troubles += [Trouble(aspect, setting, text) for aspect, text in found]

    def lives_on(self) -> bool:
        """Whether the model stays in memory by itself, such as by a cache on one of its methods."""
        model = self.model()
        step(model, self.specimen, self.setting)
        dropped = weakref.ref(model)
        del model
        gc.collect()
        return dropped() is not None

    def compare(self, session: Session, witness: Witness, again: Effects) -> list[Difference]:
        """What was captured and drawn, compared with what the witness saw."""
        calls = [] if session.run is None else session.run.calls
        found = compare_calls(calls, witness)
        values = compare_values(calls, witness)
        self.verdict.values += values.count
        found += values.differences
        if again.loss is not None and not again.error:
            try:
                gradients = compare_gradients(calls, witness, again.loss)
            except RuntimeError as error:
                self.note(f"has no second backward pass: {str(error).partition(chr(10))[0]}")
            else:
                self.verdict.gradients += gradients.count
                found += gradients.differences
        found += compare_picture(session, witness, is_drawn=self.setting == SETTINGS[0])
        return found

    def note(self, text: str) -> None:
        self.verdict.notes.setdefault(text, []).append(str(self.setting))

    @cached_property
    def specimen(self) -> Specimen:
        return self.make()

    def make(self) -> Specimen:
        """The exhibit's, the same each time."""
        torch.manual_seed(0)
        with warnings.catch_warnings():
            # What a library says of its own models is not the matter here.
            warnings.simplefilter("ignore")
            return self.exhibit.make()

    def model(self) -> nn.Module:
        """A fresh one, set as the setting says."""
        if any(map(is_lazy, itertools.chain(self.specimen.model.parameters(), self.specimen.model.buffers()))):
            # Some lazy modules cannot be copied.
            model = self.make().model
        else:
            with warnings.catch_warnings():
                # A deprecated class says so also when it is copied.
                warnings.simplefilter("ignore")
                model = copy.deepcopy(self.specimen.model)
        return model.train(self.setting.is_training).to(self.setting.dtype)


def write_hooks(session: Session, model: nn.Module) -> None:
    """Hooks that only look, on modules and parameters: on all of a small model, on some of a large one."""
    for path in _some([path for path, _ in model.named_modules()]):
        session.hook(path, "forward_pre", lambda module, args: None)
        session.hook(path, "forward", lambda module, args, output: None)
    parameters = [path for path, part in model.named_parameters() if part.requires_grad and not is_lazy(part)]
    for path in _some(parameters):
        session.hook(path, "tensor", lambda gradient: None)
        session.hook(path, "post_accumulate_grad", lambda parameter: None)


def _some(paths: list[str]) -> list[str]:
    return paths[:: 1 + len(paths) // MOST_HOOKED]
