"""What a hook did to a value, in one phrase: whether it only looked, and what became of the value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from hookviz.capture.difference import is_equal
from hookviz.capture.hook_values import NAMES, HookValue
from hookviz.capture.leaves import Opaque
from hookviz.capture.plain import plain_text
from hookviz.capture.transforms import unwrapped

if TYPE_CHECKING:
    import torch

    from hookviz.capture.capture import Capture
    from hookviz.capture.effects import Outcome
    from hookviz.hooks.hook import HookKind

DETACHED: Final = "detached from the graph"


@dataclass(frozen=True, slots=True)
class Comparison:
    """A value before and after a hook; runs under ``store.quiet``."""

    kind: HookKind
    before: HookValue
    after: HookValue
    captures: Sequence[Capture | None]
    """What was kept of each tensor before the hook ran."""
    need_grad: Sequence[bool]
    """Whether each tensor required a gradient then: a hook may detach it in place."""
    given: object
    """The value itself, as the hook was given it."""
    returned: object
    is_touched: bool
    """Whether a tensor was written to in place."""

    def outcome(self) -> tuple[Outcome, str]:
        """Whether the hook changed something, and what it did: ``replaced the output``."""
        name, graph = NAMES[self.kind], self._graph()
        is_other = self._is_other()
        if not (is_other or self.is_touched or graph):
            return "observed", "returned None" if self.returned is None else f"returned the {name} as it was"
        is_as_before = not (is_other or self.is_touched) or self._is_equal()
        if is_as_before and graph:
            return (
                "changed",
                f"detached the {name} from the graph" if graph == "lost" else f"made the {name} require grad",
            )
        deed, by = self._deed(name, is_other=is_other)
        if is_as_before:
            return "observed", f"{deed} {by} {'equal ones' if name == 'arguments' else 'an equal value'}"
        return "changed", f"{deed}, {DETACHED}" if graph == "lost" else deed

    def _deed(self, name: str, *, is_other: bool) -> tuple[str, str]:
        if self.returned is None or self.kind == "post_accumulate_grad":
            if is_other and not self.after.tensors:
                return f"set {name} to None", ""
            return f"edited the {name} in place", "to"
        return (f"replaced the {name}", "by") if is_other else (f"edited the {name} in place and returned it", "as")

    def _graph(self) -> Literal["", "lost", "gained"]:
        after = dict(zip(self.after.labels, self.after.tensors, strict=True))
        needs = [
            (needed, after[label].requires_grad)
            for label, needed in zip(self.before.labels, self.need_grad, strict=True)
            if label in after
        ]
        if any(before and not after for before, after in needs):
            return "lost"
        return "gained" if any(after and not before for before, after in needs) else ""

    def _is_other(self) -> bool:
        """Whether there is another value now, or one with other parts; what the tensors hold does not matter."""
        before, after = self.before, self.after
        if after.skeleton != before.skeleton or any(
            now is not tensor for now, tensor in zip(after.tensors, before.tensors, strict=True)
        ):
            return True
        if after.tensors or self.returned is None:
            return False
        if type(after.skeleton) is Opaque:
            return self.returned is not self.given
        return not self._has_same_form()

    def _has_same_form(self) -> bool:
        # 0 and False are equal, yet not the same.
        before, after = self.before.skeleton, self.after.skeleton
        return bool(before == after) and plain_text(before) == plain_text(after)

    def _is_equal(self) -> bool:
        return (
            bool(self.after.tensors)
            and self._has_same_form()
            and all(map(is_left, self.captures, self.before.tensors, self.after.tensors))
        )


def is_left(capture: Capture | None, before: torch.Tensor, after: torch.Tensor) -> bool:
    """Whether a tensor is known to be equal to the one that it follows. Runs under ``store.quiet``."""
    return capture is not None and type(before) is type(after) and is_equal(capture, unwrapped(after).detach())
