"""Hooks and interventions that are written through the session, and leave the model with it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, overload

from torch import nn

from hookviz.errors import InterventionError
from hookviz.hooks.discovery import LOOSE
from hookviz.hooks.hook import Hook, HookPlace
from hookviz.hooks.intervening import TARGETS, InterventionHook, Target, leaf_of
from hookviz.hooks.interventions import Intervention
from hookviz.hooks.origin import origin_of, source_of_call
from hookviz.hooks.registration import TENSOR_KINDS, Flags, check, register_on_module, register_on_tensor
from hookviz.hooks.slices import index_of
from hookviz.hooks.written import WrittenHook
from hookviz.session.accepted import require_label
from hookviz.session.aim import check_aim
from hookviz.session.hooking import Hooking
from hookviz.session.recording import Recording
from hookviz.session.targets import module_at, tensor_at
from hookviz.session.written_hooks import WrittenHooks

if TYPE_CHECKING:
    import torch

    from hookviz.hooks.contract import WritableKind
    from hookviz.session.options import WatchOptions

Function = TypeVar("Function", bound=Callable[..., Any])


class Writing(Recording):
    """A recorded model with its hooks, to which others can be added."""

    def __init__(self, model: nn.Module, options: WatchOptions) -> None:
        super().__init__(model, options)
        self._hooking = hooking = Hooking()
        self._written = written = WrittenHooks()

        def begin_run() -> bool:
            written.begin_run()
            hooking.begin_run()
            return not (written.is_empty and hooking.board.is_settled)

        self._capturing.begin_run = begin_run
        self._capturing.annotate = written.explain
        hooking.board.wake = self._capturing.pace.wake

    @overload
    def hook(
        self,
        target: str | nn.Module | torch.Tensor,
        kind: WritableKind,
        fn: None = None,
        *,
        label: str | None = None,
        with_kwargs: bool = False,
        always_call: bool = False,
        prepend: bool = False,
    ) -> Callable[[Function], Function]: ...

    @overload
    def hook(
        self,
        target: str | nn.Module | torch.Tensor,
        kind: WritableKind,
        fn: Callable[..., Any],
        *,
        label: str | None = None,
        with_kwargs: bool = False,
        always_call: bool = False,
        prepend: bool = False,
    ) -> Hook: ...

    def hook(
        self,
        target: str | nn.Module | torch.Tensor,
        kind: WritableKind,
        fn: Callable[..., Any] | None = None,
        *,
        label: str | None = None,
        with_kwargs: bool = False,
        always_call: bool = False,
        prepend: bool = False,
    ) -> Hook | Callable[[Function], Function]:
        """Register a hook with PyTorch, by PyTorch's contract: return None, or what takes the value's place.

        Without ``fn`` it decorates a function, which stays what it is; the hook is then in ``session.hooks``.
        If what the hook returns is nothing that PyTorch takes, ``HookContractError`` is raised there and says
        what it does take. Where PyTorch takes it but the run fails later on, the error has a note on each
        hook that gave a value another structure or shape. ``close`` removes the hook.

        Args:
            target: A module or parameter of the model, or its path; for kind ``"tensor"`` any tensor.
            kind: ``"forward_pre"``, ``"forward"``, ``"backward_pre"`` or ``"backward"`` on a module,
                ``"tensor"`` or ``"post_accumulate_grad"`` on a parameter.
            fn: Called with what PyTorch gives a hook of this kind: ``(module, args)``,
                ``(module, args, output)``, ``(module, grad_output)``, ``(module, grad_input, grad_output)``,
                ``(grad,)`` or ``(parameter,)``.
            label: Its name in the list and the picture, else the function's.
            with_kwargs: Have keyword arguments, too, after ``args``; forward kinds.
            always_call: Call it also if forward raised; kind ``"forward"``.
            prepend: Have it run before those that are there; kinds on modules.

        Raises:
            UnknownModuleError: if there is nothing at the path.
            OptionError: if there is no such kind or flag here, ``fn`` cannot be called, or the label is no text.
            HookContractError: if ``fn`` does not take what PyTorch calls it with.
            ClosedSessionError: if the session is closed.
        """
        self._require_open()
        require_label(label)
        flags = Flags(with_kwargs, always_call, prepend)
        check(kind, flags, fn)
        self._follow_changes_at(target)
        find = tensor_at if kind in TENSOR_KINDS else module_at
        where = find(self.model, self._parts.index, target, kind)

        def write(function: Function) -> Hook:
            origin = origin_of(function)
            name = origin.label if label is None else label
            written = WrittenHook(function, kind, where[0], name, origin.source, with_kwargs=with_kwargs)
            path, carrier = where
            return self._put(path, carrier, kind, written, flags)

        def decorate(function: Function) -> Function:
            check(kind, flags, function)
            write(function)
            return function

        return decorate if fn is None else write(fn)

    def intervene(
        self,
        target: str | nn.Module,
        intervention: Intervention,
        on: Target = "output",
        *,
        at: object = None,
        call: int | None = None,
        leaf: str | int | None = None,
        label: str | None = None,
    ) -> Hook:
        """Change a value on its way through the model: in each run from now on, until the hook is switched off.

        The change is made out of place, in the value's dtype and on its device. ``close`` removes it.

        Args:
            target: A module of the model, or its path.
            intervention: ``Zero()``, ``Scale(0.5)``, ``Add(v)``, ``Clamp(-1, 1)``, ``Noise(0.1, seed=0)`` or
                ``Replace(v)``.
            on: ``"output"`` or ``"input"`` of the module, or the gradient that arrives at its output
                (``"grad_output"``) or leaves through its input (``"grad_input"``).
            at: The part of the tensor, as in its brackets: ``"[:, 0]"``, a number, slices; None for all of it.
            call: The number of one call within each run, from 0, where the module is called several times.
            leaf: Which tensor, where there are several: ``"output[1]"``, ``"output['logits']"``, ``"input[0]"``,
                ``"input['mask']"``, or in short ``"[1]"`` or 1; else the first.
            label: Its name in the list and the picture, else such as ``Scale(0.5) on output[:, 0]``.

        Raises:
            UnknownModuleError: if there is nothing at the path.
            OptionError: if it is no module's path, or the label is no text.
            InterventionError: if the intervention or its place cannot be, or if its ``leaf`` or the part ``at`` of it
                was not there in the last captured run.
            ClosedSessionError: if the session is closed.
        """
        self._require_open()
        require_label(label)
        _check_intervention(intervention, on, call)
        kind: WritableKind = "forward_pre" if on.endswith("input") else "forward"
        self._follow_changes_at(target)
        path, module = module_at(self.model, self._parts.index, target, kind)
        index = None if at is None else index_of(at)
        hook = InterventionHook(
            intervention, on, path, at=index, call=call, leaf=leaf_of(leaf, on), clock=self._written.clock
        )
        check_aim(hook, [] if self.run is None else self.run.of_module(id(module)))
        source = source_of_call(sys._getframe(1))
        written = WrittenHook(hook, kind, path, hook.label if label is None else label, source, with_kwargs=True)
        return self._put(path, module, kind, written, Flags(with_kwargs=True))

    def _put(
        self, path: str, carrier: nn.Module | torch.Tensor, kind: WritableKind, written: WrittenHook, flags: Flags
    ) -> Hook:
        if isinstance(carrier, nn.Module):
            handle = register_on_module(carrier, kind, written, flags)
        else:
            handle = register_on_tensor(carrier, kind, written, "The tensor" if path == LOOSE else repr(path))
            if path == LOOSE:
                self._hooking.add_tensor(carrier)
        self._written.add(handle, written)
        self._capturing.pace.wake()
        hook = self._hooking.hook_at(carrier, HookPlace(kind, path, handle.id))
        # A tensor of the run that goes on will not be there in the next.
        if path != LOOSE:
            self._hooking.board.start(hook)
        return hook

    def _follow_changes_at(self, target: object) -> None:
        """Read the model again, unless the target is a module that is where it was: in a large one, that takes time."""
        index = self._parts.index
        path = index.path_of(target) if isinstance(target, nn.Module) else target
        if not (isinstance(path, str) and index.is_at_its_place(self.model, path)):
            self._follow_changes()

    def close(self) -> None:
        """Take everything off the model again. What was captured can still be read; twice does nothing."""
        self._written.remove()
        super().close()


def _check_intervention(intervention: object, on: str, call: object) -> None:
    if isinstance(intervention, type) and issubclass(intervention, Intervention):
        raise InterventionError(f"{intervention.__name__} is a class: write {intervention.__name__}(...).")
    if not isinstance(intervention, Intervention):
        raise InterventionError(
            f"An intervention is Zero(), Scale(...), Add(...), Clamp(...), Noise(...) or Replace(...); got "
            f'{type(intervention).__name__}. For a function of your own: session.hook(path, "forward", function).'
        )
    if on not in TARGETS:
        raise InterventionError(f"on is one of {', '.join(map(repr, TARGETS))}; got {on!r}.")
    if call is not None and (not isinstance(call, int) or isinstance(call, bool) or call < 0):
        raise InterventionError(f"call is the number of a call within a run, from 0, or None for all; got {call!r}.")
