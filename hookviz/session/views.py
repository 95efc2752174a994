"""What ``session[path]`` gives: a module with what flowed through it, or a parameter."""

from __future__ import annotations

from typing import Final

import torch
from torch import nn
from torch.nn.parameter import UninitializedTensorMixin  # type: ignore[attr-defined]  # not in the stub

from hookviz.capture.call import NO_BACKWARD, ModuleCall, What
from hookviz.capture.cost import Cost, Costs
from hookviz.capture.leaves import Nested
from hookviz.capture.moments import measure
from hookviz.capture.store import quiet
from hookviz.capture.summary import TensorSummary, summarize
from hookviz.errors import NotCapturedError
from hookviz.graph.counts import count_parameters
from hookviz.hooks.paths import quoted
from hookviz.session.reasons import Reasons

IN_USE: Final = "not read while a cell or another thread runs the model: it may be writing it"


class ParameterView:
    """A parameter or buffer as it is now. Reading it runs no code of the model."""

    def __init__(self, path: str, parameter: torch.Tensor, *, has_backward: bool, is_in_use: bool = False) -> None:
        self.path = path
        self.is_in_use = is_in_use
        """Whether a cell of another thread may be changing it: then its gradient cannot be read."""
        self._parameter = parameter
        self._has_backward = has_backward

    @property
    def tensor(self) -> torch.Tensor:
        """A detached copy of its values.

        Raises:
            NotCapturedError: if a lazy module has not made it yet.
        """
        values = self.peek()
        if values is None:
            raise NotCapturedError(f"There are no values of {self.path!r}: {self.note}. Call the model.")
        with quiet():
            return values.clone()

    @property
    def grad(self) -> torch.Tensor:
        """A copy of its gradient.

        Raises:
            NotCapturedError: if it has none; the message says why.
        """
        with quiet():
            return self._gradient().detach().clone()

    def _gradient(self) -> torch.Tensor:
        gradient = self.peek_grad()
        if gradient is None:
            raise NotCapturedError(f"There is no gradient of {self.path!r}: {self._why_no_gradient()}")
        return gradient

    def _why_no_gradient(self) -> str:
        if self.note:
            return f"{self.note}."
        if not isinstance(self._parameter, nn.Parameter):
            return "it is a buffer, which is not learned."
        if self.is_in_use:
            return f"{IN_USE}."
        if self._has_backward:
            return "it is not in the loss, or zero_grad() took it."
        return f"{NO_BACKWARD}: loss.backward() brings it."

    def peek(self) -> torch.Tensor | None:
        """Its values in the model's own memory, to look at only; None while a lazy module has not made it."""
        if self._is_uninitialized:
            return None
        with quiet():
            return self._parameter.detach()

    def peek_grad(self) -> torch.Tensor | None:
        """Its gradient in the model's own memory, to look at only; None where there is none, or while it is in use."""
        if self._is_uninitialized or self.is_in_use:
            return None
        gradient = self._parameter.grad
        if gradient is None:
            return None
        with quiet():
            return gradient.detach()

    @property
    def summary(self) -> TensorSummary:
        """Statistics of its values; only a note while a lazy module has not made it."""
        if self._is_uninitialized:
            return TensorSummary((), "", "", 0, note=self.note)
        return _summary(self._parameter)

    @property
    def grad_summary(self) -> TensorSummary:
        """Statistics of its gradient.

        Raises:
            NotCapturedError: if it has none; the message says why.
        """
        return _summary(self._gradient())

    @property
    def requires_grad(self) -> bool:
        """False if it is frozen, or a buffer."""
        return self._parameter.requires_grad

    @property
    def note(self) -> str:
        """What is special about it, else empty."""
        if self._is_uninitialized:
            return "not initialized yet: a lazy module makes it in its first call"
        is_buffer = not isinstance(self._parameter, nn.Parameter)
        return "" if self.requires_grad or is_buffer else "frozen: does not require grad"

    @property
    def _is_uninitialized(self) -> bool:
        return isinstance(self._parameter, UninitializedTensorMixin)

    def __repr__(self) -> str:
        return f"<ParameterView {self.path}>"


def _summary(tensor: torch.Tensor) -> TensorSummary:
    with quiet():
        value = tensor.detach()
        return summarize(measure(value, with_sample=False), value)


class ModuleView:
    """A module of the watched model and its calls in the last captured run."""

    def __init__(self, path: str, module: nn.Module, reasons: Reasons, *, source: str = "session") -> None:
        self.path = path
        self.module = module
        self.source = source
        """What it was taken from, as one writes it in Python."""
        self._run = reasons.run
        self._reasons = reasons

    @property
    def type_name(self) -> str:
        """Its class."""
        return type(self.module).__name__

    @property
    def calls(self) -> list[ModuleCall]:
        """Its calls in the last captured run, in order; empty if it was not called."""
        return [] if self._run is None else self._run.of_module(id(self.module))

    @property
    def output(self) -> Nested:
        """What the last call returned: a ``Capture``, or tuples and dicts of them.

        Raises:
            NotCapturedError: if nothing was captured; the message says why.
        """
        return self._last("output").output

    @property
    def input(self) -> Nested:
        """What the last call received: ``(args, kwargs)``. Needs ``watch(model, inputs=True)``.

        Raises:
            NotCapturedError: if nothing was captured; the message says why.
        """
        return self._last("input").input

    @property
    def grad_output(self) -> Nested:
        """The gradient of the loss at the last call's output, nested as ``output``; there once backward ran.

        Raises:
            NotCapturedError: if there is none; the message says why.
        """
        return self._last("grad_output").grad_output

    @property
    def grad_input(self) -> Nested:
        """The gradient of the loss at the last call's inputs, nested as ``input``; see ``ModuleCall.grad_input``.

        Raises:
            NotCapturedError: if there is none; the message says why.
        """
        return self._last("grad_input").grad_input

    @property
    def cost(self) -> Cost:
        """Seconds forward and backward, and bytes of activations, of all its calls in the last captured run.

        Raises:
            NotCapturedError: if it was not called; the message says why.
        """
        found = None if self._run is None else Costs(self._run).of_module(id(self.module))
        if found is None:
            why = self._reasons.of_no_call(self.path)
            raise NotCapturedError(f"There is no cost of {quoted(self.path)}: {why}")
        return found

    @property
    def parameter_count(self) -> int | None:
        """How many numbers its parameters and those of the modules inside hold, shared ones once.

        None while a lazy module has not made its own.
        """
        return count_parameters([self.module])

    @property
    def why_not_called(self) -> str:
        """Why the last captured run has no call of it; empty if it has one, or before the first run."""
        return "" if self._run is None or self.calls else self._reasons.of_uncalled(self.path)

    def _last(self, what: What) -> ModuleCall:
        calls = self.calls
        why = self._reasons.of_no_value(calls[-1], what) if calls else self._reasons.of_no_call(self.path)
        if why:
            raise NotCapturedError(f"There is no {what} of {quoted(self.path)}: {why}")
        return calls[-1]

    @property
    def has_parameters(self) -> bool:
        """Whether it has parameters or buffers of its own."""
        return bool(self.parameter_names)

    @property
    def parameter_names(self) -> list[str]:
        """Names of its own parameters and buffers."""
        # The dicts instead of getattr(): reading a parametrized attribute runs its parametrization.
        own = (*self.module._parameters.items(), *self.module._buffers.items())
        return [name for name, tensor in own if tensor is not None]

    @property
    def parameters(self) -> dict[str, ParameterView]:
        """Its own parameters and buffers by name, those of its children left out."""
        found: dict[str, ParameterView] = {}
        has_backward = self._run is not None and self._run.has_gradients
        # The dicts instead of getattr(): reading a parametrized attribute runs its parametrization.
        for name, tensor in (*self.module._parameters.items(), *self.module._buffers.items()):
            if tensor is not None:
                found[name] = ParameterView(
                    f"{self.path}.{name}" if self.path else name,
                    tensor,
                    has_backward=has_backward,
                    is_in_use=self._reasons.is_in_use,
                )
        return found

    def __repr__(self) -> str:
        calls = f"{len(self.calls)} {'call' if len(self.calls) == 1 else 'calls'}"
        return f"<ModuleView {self.path or '(the model)'}: {self.type_name}, {calls}>"
