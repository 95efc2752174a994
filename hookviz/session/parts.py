"""The parts of a watched model, and the seams on them."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hookviz.hooks import seam
from hookviz.hooks.glance import Glance
from hookviz.hooks.paths import ModuleIndex, Pattern, select

if TYPE_CHECKING:
    from torch import nn

    from hookviz.hooks.probe import Probe


class Parts:
    """The index of a model's modules, kept in step with the model; holds it weakly."""

    def __init__(self, model: nn.Module) -> None:
        self.model = weakref.ref(model)
        self.index = ModuleIndex(model)
        self._probe: Probe | None = None
        self._glance: Glance | None = None

    def install(self, probe: Probe) -> None:
        """Put a seam on every module."""
        self._probe = probe
        probe.install(self.index)

    def remove(self) -> None:
        """Take all seams off."""
        if self._probe is not None:
            self._probe.remove(module for _, module in self.index.modules())
            self._probe = self._glance = None

    def follow(self, model: nn.Module) -> tuple[bool, list[nn.Module]]:
        """Read the model again.

        Returns:
            Whether modules came or went, which then have or lose their seams; and the modules on which or on whose
            tensors there may be hooks.
        """
        carriers = None if self._glance is None else self._glance.carriers()
        if carriers is not None:
            return False, carriers
        has_changed = self._read(model)
        self._glance = Glance(self.index)
        return has_changed, [module for _, module in self.index.modules()]

    def _read(self, model: nn.Module) -> bool:
        watched = [module for _, module in self.index.modules()]
        has_changed = self.index.refresh(model)
        if self._probe is not None:
            if has_changed:
                before = {id(module): module for module in watched}
                for _, module in self.index.modules():
                    before.pop(id(module), None)
                self._probe.remove(before.values())
            self._probe.install(self.index)
        return has_changed

    def selected(self, only: Sequence[Pattern] | None, exclude: Sequence[Pattern] | None) -> frozenset[str]:
        """First paths of the modules that ``only`` and ``exclude`` leave."""
        return select(self.index, only, exclude)

    def identity(self, path: str) -> int | None:
        """id() of the module at a path, None if there is none; of a model that is gone, the id() that it had."""
        if self.model() is None:
            return self.index.last_identity(path)
        module = self.index.find(path)
        return None if module is None else id(module)

    def is_compiled(self, path: str) -> bool:
        """Whether the module at a path runs compiled code."""
        module = self.index.find(path)
        return module is not None and seam.is_compiled(module)
