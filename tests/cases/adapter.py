"""How the cases see a model that is watched: one flat list per question, over all runs since it was attached."""

from typing import Any

import torch
from torch import nn

from hookviz.capture.call import ModuleCall, What
from hookviz.capture.capture import Capture
from hookviz.capture.run import Run
from hookviz.errors import NotKeptError
from hookviz.hooks.hook import Hook
from hookviz.session import Session, WatchOptions

NO_LIMIT = 1 << 40
"""Bytes; every tensor of the small models of the cases is kept."""


class Tool:
    """Answers by module name; every name of ``named_modules(remove_duplicate=False)`` is understood.

    A list has one entry for each tensor of each call of that module, in the order in which the calls
    returned. None stands where a value or a gradient cannot be had.
    """

    def __init__(self, model: nn.Module) -> None:
        self._runs: list[Run] = []
        self._session = Session(model, WatchOptions(inputs=True, every=1, exact=True, keep_bytes=NO_LIMIT))
        self._stop_observing = self._session.observe(self._remember)

    def outputs(self, name: str) -> list[torch.Tensor | None]:
        """What the callers received, as it was at that moment."""
        return self._tensors(name, "output")

    def inputs(self, name: str) -> list[torch.Tensor | None]:
        """What forward received, positional arguments first, as it was at that moment."""
        return self._tensors(name, "input")

    def grad_outputs(self, name: str) -> list[torch.Tensor | None]:
        """The gradient of the last backward pass at each entry of ``outputs``."""
        return self._tensors(name, "grad_output")

    def grad_inputs(self, name: str) -> list[torch.Tensor | None]:
        """The share of the gradient at each entry of ``inputs`` that came through that call."""
        return self._tensors(name, "grad_input")

    def hooks(self) -> list[dict[str, Any]]:
        """Every hook on the model."""
        return [
            {
                "kind": hook.kind,
                "owner": hook.path,
                "fn": hook.function,
                "flags": hook.flags,
                "own": hook.owner == "hookviz",
                "hook": hook,
            }
            for hook in self._session.hooks
        ]

    def set_enabled(self, listed: dict[str, Any], enabled: bool) -> None:
        """Switch a hook of the list; raises if it is protected or gone."""
        hook: Hook = listed["hook"]
        if enabled:
            hook.enable()
        else:
            hook.disable()

    def unobservable(self) -> list[str]:
        """Why something that ran was not seen."""
        return [*self._session.unobservable(), *([self._session.problem] if self._session.problem else [])]

    def detach(self) -> None:
        """Take everything off the model again."""
        self._stop_observing()
        self._session.close()

    def _remember(self, session: Session) -> None:
        run = session.run
        if run is not None and not any(run is known for known in self._runs):
            self._runs.append(run)

    def _tensors(self, name: str, what: What) -> list[torch.Tensor | None]:
        return [_tensor(capture) for call in self._calls(name) for _, capture, _ in call.entries(what)]

    def _calls(self, name: str) -> list[ModuleCall]:
        module_id = id(self._session.model.get_submodule(name))
        return [call for run in self._runs for call in run.returned() if call.module_id == module_id]


def _tensor(capture: Capture | None) -> torch.Tensor | None:
    if capture is None:
        return None
    try:
        return capture.tensor
    except NotKeptError:
        return None


def attach(model: nn.Module) -> Tool:
    """Watch all that flows through a model, every run, with exact gradients of the inputs."""
    return Tool(model)
