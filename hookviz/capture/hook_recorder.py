"""Records what hooks do: the value before and after each, copied at once."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from hookviz.capture.difference import is_same
from hookviz.capture.effects import EffectEntry, HookEffect, Outcome
from hookviz.capture.first_line import error_text
from hookviz.capture.hook_values import NAMES, HookValue, beside, value_given, value_returned
from hookviz.capture.outcome import DETACHED, Comparison, is_left
from hookviz.capture.plain import is_plain, plain_text
from hookviz.capture.plan import Plan
from hookviz.capture.recorder import Recorder
from hookviz.capture.store import quiet
from hookviz.capture.transforms import unwrapped
from hookviz.hooks import seam
from hookviz.hooks.discovery import LOOSE
from hookviz.hooks.watched_hooks import WatchedHooks, has_call_hooks

if TYPE_CHECKING:
    from torch import nn

    from hookviz.capture.call import ModuleCall
    from hookviz.capture.capture import Capture
    from hookviz.hooks.hook import HookKind, HookPlace

_LOOSE = Plan()
_FORWARD_KINDS = ("forward_pre", "forward")
_BESIDE: dict[HookKind, str] = {"forward": "input", "backward": "grad_output"}
"""What hooks of these kinds are given beside the value that they may change."""


@dataclass(slots=True)
class _Seen:
    """A hook that is running, and the value as it was before."""

    place: HookPlace
    kind: HookKind
    """What it is given is that of hooks of this kind."""
    call: ModuleCall | None
    given: tuple[Any, ...]
    value: HookValue
    versions: list[int]
    need_grad: list[bool]
    captures: list[Capture | None]
    """None for each where values are not recorded."""
    beside: list[tuple[torch.Tensor, int]]
    """What it may only look at, each with its version."""


class HookRecorder:
    """Fills the effects of one run; see ``hooks.watched_hooks.HookWatcher``. Its faults end here."""

    def __init__(self, recorder: Recorder, plans: Mapping[str, Plan], *, fault: Callable[[Exception], None]) -> None:
        self._run = recorder.run
        self._recorder = recorder
        self._plans = plans
        self._fault = fault
        self._thread = threading.get_ident()
        self._is_off = False
        self._on_tensors = WatchedHooks()
        self._last: dict[int, tuple[weakref.ref[torch.Tensor], int, Capture]] = {}
        """By id(): what a tensor was when a hook of the same row left it, so that it is not copied again."""
        self._row: tuple[HookKind, ModuleCall | None] | None = None

    def watch(
        self, module: nn.Module, path: str, call: ModuleCall, *, is_backward_only: bool = False
    ) -> WatchedHooks | None:
        """Lead the hooks of one call past this recorder; None if there are none, or none that can be watched."""
        if self._is_off or not has_call_hooks(module) or seam.is_compiled(module):
            return None
        hooks = WatchedHooks()
        try:
            places = hooks.of_module(module, path, call, self, is_backward_only=is_backward_only)
        except BaseException:
            hooks.remove()
            raise
        self._run.effects.watched.update(place.id for place in places)
        return hooks

    def watch_tensors(self, tensors: Iterable[tuple[str, torch.Tensor]]) -> None:
        """Lead the hooks of these tensors past this recorder, until ``stop``."""
        for path, tensor in tensors:
            places = self._on_tensors.of_tensor(tensor, path, self)
            self._run.effects.watched.update(place.id for place in places)

    def stop(self) -> None:
        """Leave the hooks of tensors alone: what comes now is of another run."""
        self._on_tensors.remove()

    def close(self) -> None:
        """Record nothing any more, nor of hooks that backward calls from the graph of an earlier forward."""
        self.stop()
        self._is_off = True

    def before(self, place: HookPlace, kind: HookKind, call: object, given: tuple[Any, ...]) -> object:
        """A hook is about to run: record what it gets."""
        # Replicas and runs in other threads share the hook tables; what they do is not of this run. Where there
        # were such runs, a hook of backward may have been called for any of them: which one is not known.
        is_foreign = threading.get_ident() != self._thread if kind in _FORWARD_KINDS else self._run.overlaps > 0
        if self._is_off or is_foreign:
            return None
        return self._guarded(lambda: self._look(place, kind, call, given))  # type: ignore[arg-type]  # a call or None

    def after(self, seen: object, returned: object) -> None:
        """It returned: record what it made of it."""
        if isinstance(seen, _Seen) and not self._is_off:
            self._guarded(lambda: self._compare(seen, returned))

    def raised(self, seen: object, error: BaseException) -> None:
        """It raised."""
        if isinstance(seen, _Seen) and not self._is_off:
            text = f"raised {error_text(error)}"
            self._guarded(lambda: self._add(seen, "raised", text, _unchanged(seen)))

    def _guarded(self, work: Callable[[], Any]) -> Any:
        started = time.perf_counter()
        try:
            with quiet():
                return work()
        except Exception as error:  # noqa: BLE001  # the one place where faults of watching hooks end
            self._is_off = True
            self._fault(error)
            return None
        finally:
            self._run.revision += 1
            self._run.cost_seconds += time.perf_counter() - started

    def _look(self, place: HookPlace, kind: HookKind, call: ModuleCall | None, given: tuple[Any, ...]) -> _Seen:
        if self._row != (kind, call):
            self._row = (kind, call)
            self._last.clear()
        value = value_given(kind, given)
        captures = [self._take(tensor, place, kind) for tensor in value.tensors]
        versions = [_version(tensor) for tensor in value.tensors]
        need_grad = [tensor.requires_grad for tensor in value.tensors]
        return _Seen(place, kind, call, given, value, versions, need_grad, captures, _beside(kind, given, value))

    def _compare(self, seen: _Seen, returned: object) -> None:
        value = value_returned(seen.kind, seen.given, returned)
        edited = [
            before is not None and _version(tensor) == version and not is_same(before, unwrapped(tensor).detach())
            for tensor, version, before in zip(seen.value.tensors, seen.versions, seen.captures, strict=True)
        ]
        for tensor, is_edited in zip(seen.value.tensors, edited, strict=True):
            if is_edited:
                # Through .data, which no version tells.
                self._last.pop(id(tensor), None)
        is_touched = any(edited) or [_version(tensor) for tensor in seen.value.tensors] != seen.versions
        comparison = Comparison(
            seen.kind, seen.value, value, seen.captures, seen.need_grad, seen.given[-1], returned, is_touched
        )
        outcome, text = comparison.outcome()
        is_left_alone = outcome == "observed"
        if not is_touched and any(_version(tensor) != version for tensor, version in seen.beside):
            outcome, text = "changed", f"{text}, and wrote to the {_BESIDE[seen.kind]} in place"
        self._add(seen, outcome, text, _unchanged(seen) if is_left_alone else self._changes(seen, value))

    def _changes(self, seen: _Seen, value: HookValue) -> tuple[EffectEntry, ...]:
        if is_plain(value.skeleton) or is_plain(seen.value.skeleton):
            texts = [plain_text(each.skeleton) if is_plain(each.skeleton) else "" for each in (seen.value, value)]
        else:
            texts = ["", ""]
        after = dict(zip(value.labels, value.tensors, strict=True))
        entries: list[EffectEntry] = []
        for label, tensor, version, needed, before in zip(
            seen.value.labels, seen.value.tensors, seen.versions, seen.need_grad, seen.captures, strict=True
        ):
            now = after.pop(label, None)
            if now is None:
                entries.append(EffectEntry(label, before, None, "", texts[1], note="taken away"))
                continue
            is_untouched = now is tensor and _version(now) == version and id(now) in self._last
            is_as_before = is_untouched or is_left(before, tensor, now)
            capture = None if is_as_before else self._take(now, seen.place, seen.kind)
            note = DETACHED if needed and not now.requires_grad else ""
            entries.append(EffectEntry(label, before, capture, note=note))
        entries += [
            EffectEntry(label, None, self._take(tensor, seen.place, seen.kind), texts[0])
            for label, tensor in after.items()
        ]
        if not entries:
            entries.append(EffectEntry(_root(seen.kind), None, None, *texts))
        return tuple(entries)

    def _take(self, tensor: torch.Tensor, place: HookPlace, kind: HookKind) -> Capture | None:
        """The tensor as it is now; None where values of this kind are not captured here."""
        is_gradient = kind not in _FORWARD_KINDS
        path = place.path
        if place.kind in ("tensor", "post_accumulate_grad") and path != LOOSE:
            path = path.rpartition(".")[0]
        plan = _LOOSE if path == LOOSE else self._plans.get(path)
        if plan is None or not (plan.gradients if is_gradient else plan.outputs):
            return None
        known = self._last.get(id(tensor))
        version = _version(tensor)
        if known is not None and known[0]() is tensor and known[1] == version >= 0:
            return known[2]
        # What the last hook made of an output is what the module returns: the recorder keeps it once.
        capture = self._take_gradient(tensor, path) if is_gradient else self._recorder.take(tensor, path)
        if capture is not None:
            # It may be that of a module, which the hook is about to write into.
            capture.own()
            self._last[id(tensor)] = (weakref.ref(tensor), version, capture)
        return capture

    def _take_gradient(self, tensor: torch.Tensor, path: str) -> Capture | None:
        try:
            return self._recorder.store.take(tensor, path, is_gradient=True)
        except Exception:  # noqa: BLE001  # a tensor that refuses to be copied
            return None

    def _add(self, seen: _Seen, outcome: Outcome, text: str, entries: tuple[EffectEntry, ...]) -> None:
        log = self._run.effects
        call = None if seen.call is None else seen.call.index
        log.add(HookEffect(seen.place, call, log.next_order(), outcome, text, entries))


def _unchanged(seen: _Seen) -> tuple[EffectEntry, ...]:
    if is_plain(seen.value.skeleton) and not seen.value.tensors:
        return (EffectEntry(_root(seen.kind), None, None, plain_text(seen.value.skeleton)),)
    return tuple(
        EffectEntry(label, capture, None) for label, capture in zip(seen.value.labels, seen.captures, strict=True)
    )


def _beside(kind: HookKind, given: tuple[Any, ...], value: HookValue) -> list[tuple[torch.Tensor, int]]:
    other = beside(kind, given)
    if other is None:
        return []
    known = {id(tensor) for tensor in value.tensors}
    return [(tensor, _version(tensor)) for tensor in other.tensors if id(tensor) not in known]


def _root(kind: HookKind) -> str:
    return {"forward_pre": "args", "tensor": "grad", "post_accumulate_grad": "grad"}.get(kind, NAMES[kind])


def _version(tensor: torch.Tensor) -> int:
    """Counts the changes of a tensor in place; -1 where nobody counts them. Runs under ``quiet``."""
    try:
        return -1 if tensor.is_inference() else tensor._version
    except RuntimeError:
        return -1
