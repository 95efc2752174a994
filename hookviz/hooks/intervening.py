"""The hook that makes an intervention at a module: on what enters it, leaves it, or on their gradients.

For gradients it registers nothing that acts in backward on the module: a full backward hook makes views of all
inputs and outputs, which forbids in-place operations next to it. It is a forward hook, which hangs a hook
on the tensor; where that tensor is also used elsewhere, it hands on a copy, so that only the gradient
through this module is changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal

import torch

from hookviz.errors import InterventionError
from hookviz.hooks.contract import describe
from hookviz.hooks.interventions import Intervention, Noise
from hookviz.hooks.nested import Place, tensors_in, with_tensor
from hookviz.hooks.paths import quoted
from hookviz.hooks.run_clock import RunClock
from hookviz.hooks.slices import Index, text_of

GradientHook = Callable[["torch.Tensor | None"], "torch.Tensor | None"]

Target = Literal["output", "input", "grad_output", "grad_input"]

TARGETS: tuple[Target, ...] = ("output", "input", "grad_output", "grad_input")


def leaf_of(leaf: object, on: str) -> str | None:
    """The full name of a tensor in a module's output or input, ``output[0]``, also of ``"[0]"`` or 0.

    Raises:
        InterventionError: if it names none.
    """
    root = "input" if on.endswith("input") else "output"
    if leaf is None:
        return None
    if isinstance(leaf, int) and not isinstance(leaf, bool):
        return f"{root}[{leaf}]"
    name = leaf.removeprefix("grad_") if isinstance(leaf, str) else ""
    if name.startswith("["):
        return root + name
    if not name.startswith(root):
        raise InterventionError(
            f'leaf says which tensor of the {root} is meant: "{root}[1]", "[1]" or 1, "{root}[\'mask\']"; '
            f"got {leaf!r:.60}."
        )
    return name


class InterventionHook:
    """Called by PyTorch as a forward hook, or as a forward_pre hook for inputs, each with keywords."""

    __slots__ = (
        "_again", "_calls", "_clock", "_run", "_task", "at", "call", "intervention", "leaf", "path", "target", "watch",
    )  # fmt: skip

    def __init__(
        self,
        intervention: Intervention,
        target: Target,
        path: str,
        *,
        at: Index | None = None,
        call: int | None = None,
        leaf: str | None = None,
        clock: RunClock,
    ) -> None:
        self.intervention = intervention
        self.target: Target = target
        self.path = path
        self.at = at
        self.call = call
        self.leaf = leaf
        self.watch: Callable[[GradientHook, torch.Tensor | None], torch.Tensor | None] | None = None
        """Who is led to what is done to gradients; for the length of one call."""
        self._clock = clock
        self._run = -1
        self._calls = 0
        self._task = -1
        self._again = 0

    # Objects with slots go into pickles of protocol 2 and later only, unless they say how; a model may be
    # pickled by an earlier one.
    def __reduce_ex__(self, protocol: Any) -> Any:
        return object.__reduce_ex__(self, max(protocol, 2))

    @property
    def label(self) -> str:
        """``Scale(0.5) on output[:, 0]``."""
        part = "" if self.at is None else text_of(self.at)
        name = self.leaf if self.leaf is not None and not self.is_on_gradient else self.target
        if self.leaf is not None and self.is_on_gradient:
            name = f"grad_{self.leaf}"
        return f"{self.intervention!r} on {name}{part}{'' if self.call is None else f', call {self.call}'}"

    @property
    def source(self) -> str:
        """Unknown, in a copy of a model; the session knows it of its own."""
        return ""

    @property
    def is_on_gradient(self) -> bool:
        """Whether it changes a gradient, and so acts in backward."""
        return self.target.startswith("grad_")

    @property
    def _is_on_input(self) -> bool:
        return self.target.endswith("input")

    def __call__(self, _module: torch.nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any], *output: Any) -> Any:
        """The output, or the pair of arguments and keywords, with the change; None where nothing changes.

        Raises:
            InterventionError: if the intervention does not fit what the module received or returned.
        """
        __tracebackhide__ = True
        number = self._number()
        if self.call is not None and number != self.call:
            return None
        value: Any = (args, kwargs) if self._is_on_input else output[0]
        if value is None and not self._is_on_input:
            # The module raised: an always_call hook would be told so.
            return None
        places, tensor = self._chosen(value)
        if self.is_on_gradient:
            is_shared = self._is_on_input or any(other is tensor for _, other in tensors_in((args, kwargs)))
            changed = self._with_gradient_hook(tensor, number, is_shared=is_shared)
        else:
            changed = self._changed(tensor, number)
        if changed is None:
            return None
        for place in places:
            value = with_tensor(value, place, changed)
        return value

    def _chosen(self, value: Any) -> tuple[list[Place], torch.Tensor]:
        """The tensor that is meant and where it is: without ``leaf`` the first, wherever it occurs."""
        found = tensors_in(value)
        if self.leaf is not None:
            for place, tensor in found:
                if self.leaf in self._names(place):
                    return [place], tensor
        elif found:
            first = found[0][1]
            return [place for place, tensor in found if tensor is first] if self._is_on_input else [found[0][0]], first
        root = "input" if self._is_on_input else "output"
        names = ", ".join(next(self._names(place)) for place, _ in found)
        if not found:
            raise self._error(f"there is no tensor in its {root}, {describe(value)}.")
        raise self._error(f"there is no tensor {self.leaf}; there are {names}.")

    def _names(self, place: Place) -> Iterator[str]:
        """How it may be called: an argument as ``input[0]`` or ``input['mask']``, or as captures call it."""
        if self._is_on_input:
            yield Place(place.steps[1:]).label("input")
            yield place.label("input")
        else:
            yield place.label("output")

    def _changed(self, tensor: torch.Tensor, number: int) -> torch.Tensor:
        try:
            if self.at is None:
                return self.intervention.on(tensor, number)
            index = tuple(list(step) if isinstance(step, tuple) else step for step in self.at)
            # A value for the whole tensor, as one captured in another run, gives the same part of its own.
            if self.intervention.shape == tensor.shape:
                part = self.intervention.on(tensor, number)[index]
            else:
                part = self.intervention.on(tensor[index], number)
        except InterventionError as error:
            raise self._error(str(error)) from None
        except IndexError as error:
            raise self._error(f"{describe(tensor)} has no part {text_of(self.at or ())} ({error}).") from None
        changed = tensor.clone()
        changed[index] = part
        return changed

    def _with_gradient_hook(self, tensor: torch.Tensor, number: int, *, is_shared: bool) -> torch.Tensor | None:
        if not tensor.requires_grad:
            return None
        carrier = tensor
        # On a leaf the hook would stay for ever; of a view that is edited in place, PyTorch drops it.
        is_reused = is_shared or tensor.is_leaf or torch.compiler.is_compiling() or tensor._is_view()
        if is_reused and torch.is_grad_enabled():
            carrier = tensor.clone()
        elif tensor.is_leaf:
            return None

        def change(gradient: torch.Tensor | None) -> torch.Tensor | None:
            return None if gradient is None else self._changed(gradient, number)

        watch = self.watch
        carrier.register_hook(change if watch is None else lambda gradient: watch(change, gradient))
        return None if carrier is tensor else carrier

    def _number(self) -> int:
        """How often the module had been called before in this run."""
        if self.call is None and not isinstance(self.intervention, Noise):
            return 0
        task = torch._C._current_graph_task_id()
        if task != -1:
            # Checkpointing calls again what it did not keep, the last segment first.
            self._again = self._again + 1 if task == self._task else 1
            self._task = task
            return max(self._calls - self._again, 0)
        if self._clock.run != self._run:
            self._run, self._calls = self._clock.run, 0
        self._calls += 1
        return self._calls - 1

    def _error(self, text: str) -> InterventionError:
        return InterventionError(f"{self.label} of {quoted(self.path)}: {text}")

    def __repr__(self) -> str:
        return f"<{self.label} of {self.path or 'the model'}>"
