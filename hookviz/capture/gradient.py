"""The gradient of one tensor, filled in by a tensor hook whenever a backward pass comes by."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import torch
from torch.utils.hooks import unserializable_hook

from hookviz.capture.quiet import is_quiet, quiet
from hookviz.hooks.activity import is_in_backward
from hookviz.hooks.parking import parked_in

if TYPE_CHECKING:
    from hookviz.capture.capture import Capture
    from hookviz.capture.store import TensorStore


BATCHED: Final = "not captured: several gradients at once (is_grads_batched=True)"


NOT_ADDED: Final = "its shares were not added up: the tensor of the first was not kept, raise keep_bytes"


class GradientCell:
    """What the last backward pass brought to one tensor: a capture, or nothing yet.

    A tensor that leaves one module and enters the next has one cell, which both calls show.
    """

    # What a cell has before a gradient comes stands here, for all of them.
    capture: Capture | None = None
    task = -1
    """Number of the backward pass that was here last; passes are numbered upwards by autograd."""
    arrival = -1
    """Position among all gradients that arrived in the run."""
    arrived_at: float | None = None
    """When it arrived, in seconds of a clock that stands still while something is captured."""
    step = -1
    """Number of the step of the autograd graph that made the tensor; -1 for a leaf."""
    why_nothing = ""
    """Why the gradient that arrived could not be captured, else empty."""

    def __init__(self, path: str) -> None:
        self.path = path

    def clear(self) -> None:
        """Forget what was seen; the cell then looks as if no backward pass had come by."""
        self.capture, self.task, self.why_nothing = None, -1, ""


class GradientHooks:
    """Puts hooks on tensors for one run and takes back those that would stay for ever.

    A hook on an intermediate tensor dies with the graph. One on a leaf (an input that requires grad,
    a parameter that a module returned) would stay on the user's tensor, so it is removed with the run:
    not before, since a second backward pass through a graph that was retained replaces what the first brought.
    """

    def __init__(self, store: TensorStore, guard: Callable[..., None]) -> None:
        self._store = store
        self._guard = guard
        self.now = 0.0
        """When the gradient came that is at hand; see ``GradientCell.arrived_at``."""
        self._task = -1
        self._arrivals = itertools.count()
        self._last: Callable[[], Capture | None] = _nothing
        """Gives what was recorded last; weakly, since the graph holds these hooks."""
        self._on_leaves: list[torch.utils.hooks.RemovableHandle] = []
        self._bare: list[weakref.ref[torch.Tensor]] = []
        """Leaves that had no table of hooks until one of these was put there."""

    def attach(self, tensor: torch.Tensor, cell: GradientCell, *, is_output: bool) -> None:
        """Fill ``cell`` with each gradient that arrives at ``tensor``, all its uses together.

        A leaf that only entered the run can get gradients from elsewhere as well; those of backward passes
        that touched no output of the run are not of this run. Runs under ``quiet``.
        """
        node = tensor.grad_fn
        if node is None:
            self._register(tensor, _Arrival(self, cell, needs_task=not is_output), is_leaf=True)
        else:
            cell.step = node._sequence_nr()
            tensor.register_hook(_Arrival(self, cell, needs_task=False))

    def arrive(self, cell: GradientCell, gradient: torch.Tensor, *, needs_task: bool) -> None:
        """A gradient came to the tensor of a cell; with ``needs_task``, one of another backward pass is not taken."""
        task = _backward_task()
        if needs_task and task != self._task:
            return
        self._task = task
        self._guard(self._fill, cell, gradient)

    def attach_to_base(self, view: torch.Tensor, cell: GradientCell) -> None:
        """A second way to the gradient of a view, through the tensor that it is a view of.

        If the view or its base is edited in place later, autograd gives the view a new history and
        the hook on it never fires; the base's old history survives the edit. What arrives there is
        mapped by the view's geometry, and holds other uses of the base as well. Runs under ``quiet``.
        """
        base = view._base
        if base is None or not base.requires_grad or view.layout is not torch.strided:
            return
        geometry = (tuple(view.shape), tuple(view.stride()), view.storage_offset() - base.storage_offset())
        strides = tuple(base.stride())
        is_leaf = base.is_leaf
        # Counts writes into the memory of both without keeping that memory.
        counter = view.detach()
        counter.data = torch.empty(0, dtype=view.dtype, device=view.device)
        version = counter._version
        reference = weakref.ref(cell)

        def through_base(target: GradientCell, gradient: torch.Tensor) -> None:
            if target.task == torch._C._current_graph_task_id():
                return
            # Of a view that nobody wrote into, the own hook tells all; if it does not fire, the view was not used.
            if counter._version == version:
                return
            laid_out = torch.empty_strided(tuple(gradient.shape), strides, dtype=gradient.dtype, device=gradient.device)
            self._fill(target, laid_out.copy_(gradient.detach()).as_strided(*geometry))
            # Not when it arrived at the view.
            target.arrived_at = None

        @unserializable_hook  # type: ignore[untyped-decorator]  # torch gives it no types
        def hook(gradient: torch.Tensor | None) -> None:
            target = reference()
            if target is not None and gradient is not None:
                self._guard(through_base, target, gradient)

        self._register(base, hook, is_leaf=is_leaf)

    def _register(self, tensor: torch.Tensor, hook: Callable[[torch.Tensor | None], None], *, is_leaf: bool) -> None:
        if is_leaf and tensor._backward_hooks is None:
            self._bare.append(weakref.ref(tensor))
        handle = tensor.register_hook(hook)
        if is_leaf:
            self._on_leaves.append(handle)

    def _fill(self, cell: GradientCell, gradient: torch.Tensor) -> None:
        try:
            if type(gradient) is torch.Tensor and is_quiet():
                capture = self._last()
                # An addition hands the same tensor on to both that it added.
                if capture is None or not capture.is_lent or not capture.has_values_of(gradient):
                    capture = self._store.take(gradient, cell.path, is_gradient=True, may_be_lent=True)
                    self._last = weakref.ref(capture)
                cell.capture = capture
            else:
                with quiet():
                    cell.capture = self._store.take(gradient, cell.path, is_gradient=True)
        except RuntimeError:
            if "Batched" not in str(torch._C._dispatch_keys(gradient)):
                raise
            cell.capture, cell.why_nothing = None, BATCHED
        cell.task = _backward_task()
        cell.arrival = next(self._arrivals)
        cell.arrived_at = self.now

    def accumulate(self, cell: GradientCell, gradient: torch.Tensor) -> None:
        """Add one share of a gradient to what this backward pass brought so far."""
        task = torch._C._current_graph_task_id()
        with quiet():
            is_more = cell.task == task
            cell.task = task
            if is_more and (cell.capture is None or not cell.capture.is_kept):
                # Without the first share there is no sum.
                cell.capture, cell.why_nothing = None, NOT_ADDED
                return
            if is_more and cell.capture is not None:
                gradient = gradient.detach() + cell.capture.peek
            cell.capture, cell.why_nothing = self._store.take(gradient, cell.path, is_gradient=True), ""

    def remove(self) -> None:
        """Take the hooks off the user's leaves."""
        for handle in self._on_leaves:
            handle.remove()
        self._on_leaves.clear()
        bare, self._bare = self._bare, []
        # A backward pass that is about to call the hooks of a leaf works with the table that goes with this.
        if bare and not is_in_backward():
            for reference in bare:
                _drop_empty_table(reference())


class _Arrival:
    """The hook on a tensor. It holds its cell weakly: nothing is recorded for a run that is gone."""

    __slots__ = ("_cell", "_hooks", "_needs_task")
    __torch_unserializable__ = True
    """As ``torch.utils.hooks.unserializable_hook`` marks hooks that are not for a pickle."""

    def __init__(self, hooks: GradientHooks, cell: GradientCell, *, needs_task: bool) -> None:
        self._hooks = hooks
        self._cell = weakref.ref(cell)
        self._needs_task = needs_task

    def __call__(self, gradient: torch.Tensor | None) -> None:
        cell = self._cell()
        # An output that no loss used gets a call with None from some operations of several outputs.
        if cell is not None and gradient is not None:
            self._hooks.arrive(cell, gradient, needs_task=self._needs_task)


def _nothing() -> None:
    """Nothing was recorded yet."""


_backward_task: Callable[[], int] = torch._C._current_graph_task_id


def _drop_empty_table(leaf: torch.Tensor | None) -> None:
    """Let a leaf look as before its first hook, unless others have hooks there by now, on or off."""
    with torch._C.DisableTorchFunction():
        if leaf is not None and leaf.is_leaf and not leaf._backward_hooks and not parked_in(leaf._backward_hooks):
            leaf._backward_hooks = None
