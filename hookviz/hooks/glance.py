"""One pass over a model in each captured run: whether its modules are as they were, and where hooks may be."""

from __future__ import annotations

import operator
import weakref
from typing import Final, TypeAlias

import torch
from torch import nn

from hookviz.hooks.parking import is_any_parked
from hookviz.hooks.paths import ModuleIndex
from hookviz.hooks.seam import ATTRIBUTE
from hookviz.hooks.tables import ON_MODULES, with_hooks

_Place: TypeAlias = tuple["weakref.ref[nn.Module]", object, tuple[str, ...], tuple[int, ...]]
"""A module with what stands in the place of its seam, and the names and the id() of its children."""

_tables: Final = operator.itemgetter(*ON_MODULES)


class Glance:
    """Knows the modules of an index, and the seams on them, as they were when it was made; holds modules weakly.

    Most runs are like the one before, on a model with few hooks or none: then nothing else has to be read.
    """

    __slots__ = ("_places",)

    def __init__(self, index: ModuleIndex) -> None:
        self._places: list[_Place] = []
        for _, module in index.modules():
            children = module._modules
            own = module.__dict__.get(ATTRIBUTE)
            self._places.append((weakref.ref(module), own, tuple(children.keys()), tuple(map(id, children.values()))))

    def carriers(self) -> list[nn.Module] | None:
        """Those modules, in the order of the index, on which or on whose tensors there may be a hook.

        None if a module came, went, was replaced or lost its seam, or cannot be read like this.
        """
        modules: list[nn.Module] = []
        carriers: list[nn.Module] = []
        tensors: list[torch.Tensor | None] = []
        try:
            for reference, own, names, ids in self._places:
                module = reference()
                if module is None:
                    # So an id() that is as before is that of another one.
                    return None
                state = module.__dict__
                if state.get(ATTRIBUTE) is not own:
                    return None
                children = state["_modules"]
                if (children or names) and (
                    tuple(children.keys()) != names or tuple(map(id, children.values())) != ids
                ):
                    return None
                modules.append(module)
                tensors += state["_parameters"].values()
                tensors += state["_buffers"].values()
                if any(_tables(state)) or "forward" in state:
                    carriers.append(module)
            with torch._C.DisableTorchFunction():
                is_on_tensors = bool(with_hooks([tensor for tensor in tensors if tensor is not None]))
        except (KeyError, TypeError):
            # Tables of somebody's own, or something among the tensors that is none.
            return None
        return modules if is_on_tensors or is_any_parked() else carriers
