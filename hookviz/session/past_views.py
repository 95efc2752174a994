"""A module as a past step has it, and why something of it is not there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hookviz.errors import NotCapturedError
from hookviz.hooks.paths import quoted
from hookviz.session.reasons import Reasons
from hookviz.session.switches import Switch
from hookviz.session.views import ModuleView, ParameterView

NOT_REMEMBERED: Final = "what parameters were in past steps is not remembered"


@dataclass(frozen=True, slots=True)
class PastReasons(Reasons):
    """Knows how the session stood in a past step, as far as that step tells."""

    step: int = 0

    def of_no_call(self, path: str) -> str:
        """Why a module has no call in the step."""
        return f"{self.of_uncalled(path)} in step {self.step}."

    def _of_a_switch(self, _path: str, switch: Switch) -> str:
        return f"{switch} of this module were not captured in step {self.step}."


class PastModuleView(ModuleView):
    """A module and its calls in one past step."""

    @property
    def parameters(self) -> dict[str, ParameterView]:
        """Only the session has them, as they are now.

        Raises:
            NotCapturedError: always.
        """
        raise NotCapturedError(
            f"There are no parameters of {quoted(self.path)} here: {NOT_REMEMBERED}. "
            f"As they are now, they are at session[{self.path!r}].parameters."
        )
