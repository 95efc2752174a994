"""The past captured runs that can still be looked at: a ring with limits on what they hold."""

from __future__ import annotations

import sys
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hookviz.capture.step_thinning import thinned

if TYPE_CHECKING:
    from hookviz.capture.run import Run
    from hookviz.capture.store import TensorStore

SHARE_OF_WHOLE_STEPS: Final = 1 / 4
"""What past steps with all their tensors may take of ``keep_bytes``."""

SHARE_OF_PAST: Final = 1 / 2
"""What all tensors of past steps may take of it, with those of wanted modules of still older steps.

Both are less while the newest run needs the room.
"""

STATISTICS_BYTES: Final = 64 * 2**20
"""What all the rest of past steps may take: numbers, samples for histograms, the calls themselves."""

CALL_BYTES: Final = 5_500
"""What a call takes without its tensors: its lists, two captures with their numbers and samples."""

_NONE: Final = frozenset[str]()


@dataclass(slots=True, eq=False)
class _Past:
    run: Run
    store: TensorStore
    tensor_bytes: int
    ring: StepRing
    gone_bytes: int = 0
    """What the store had counted of tensors that were let go."""

    def grown(self, kept_bytes: int) -> int:
        """A backward pass came late, and its gradients were kept."""
        self.ring.grown(self, kept_bytes)
        return 0


class StepRing:
    """Holds the last runs as they are, and lets tensors of the oldest go when room is needed.

    To remember a run costs one entry here: what it holds was made when it was captured. Where tensors have
    to go, a copy of the run without them takes its place; a capture that somebody else holds stays whole.
    """

    def __init__(self, length: int, keep_bytes: int) -> None:
        """Make an empty ring.

        Args:
            length: How many runs it holds at most; may be none.
            keep_bytes: The limit for tensors of the whole session.
        """
        self.wanted: frozenset[str] = _NONE
        """Paths whose tensors are let go last."""
        self.held: int | None = None
        """A step that somebody looks at; it is let go after all others."""
        self.kept_bytes = 0
        """Bytes of tensors in it."""
        self._length = length
        self._keep_bytes = keep_bytes
        self._newest_bytes = 0
        self._past: dict[int, _Past] = {}
        self._whole: dict[int, _Past] = {}
        """Those that have all their tensors, oldest first."""
        self._thin: dict[int, _Past] = {}
        """Those that have the tensors of wanted modules alone, oldest first."""
        self._whole_bytes = 0
        self._calls = 0
        # Read in any thread, filled in that of the model.
        self._lock = threading.RLock()

    @property
    def steps(self) -> list[int]:
        """Their numbers, oldest first."""
        with self._lock:
            return list(self._past)

    def find(self, step: int) -> Run | None:
        """The run with this number, None if it is not there any more, or was not captured."""
        past = self._past.get(step)
        return None if past is None else past.run

    def resize(self, length: int, keep_bytes: int) -> None:
        """Work with other limits from now on."""
        with self._lock:
            self._length, self._keep_bytes = length, keep_bytes
            self.make_room(self._newest_bytes)

    def add(self, run: Run, store: TensorStore) -> None:
        """Remember a run whose numbers are settled; ``store`` is what made its captures."""
        if store.left_out:
            run.shorten_samples()
        past = _Past(run, store, store.kept_bytes, self)
        store.free_bytes, store.make_room = 0, past.grown
        with self._lock:
            self._past[run.step] = self._whole[run.step] = past
            self._whole_bytes += past.tensor_bytes
            self.kept_bytes += past.tensor_bytes
            self._calls += len(run.calls)
            self.make_room(0)

    def grown(self, past: _Past, counted: int) -> None:
        """The store of a past run has counted so many bytes by now."""
        with self._lock:
            if self._past.get(past.run.step) is past:
                self._count(past, counted - past.gone_bytes)
                self.make_room(self._newest_bytes)

    def make_room(self, newest_bytes: int) -> int:
        """Let tensors go until past steps and the newest run are within the limit.

        Args:
            newest_bytes: How many bytes of tensors the newest run keeps by now.

        Returns:
            How many bytes it may keep before room has to be made again.
        """
        with self._lock:
            self._newest_bytes = newest_bytes
            room = min(int(self._keep_bytes * SHARE_OF_PAST), self._keep_bytes - newest_bytes)
            whole_room = min(int(self._keep_bytes * SHARE_OF_WHOLE_STEPS), room)
            while self._whole and self._whole_bytes > whole_room:
                past = self._oldest(self._whole)
                self._let_go(past, self.wanted)
                del self._whole[past.run.step]
                self._thin[past.run.step] = past
            while self._thin and self.kept_bytes > room:
                past = self._oldest(self._thin)
                self._let_go(past, _NONE)
                del self._thin[past.run.step]
            while self._past and (len(self._past) > self._length or self._calls * CALL_BYTES > STATISTICS_BYTES):
                self._forget(self._oldest(self._past))
            return self._keep_bytes - self.kept_bytes

    def _oldest(self, queue: dict[int, _Past]) -> _Past:
        steps = iter(queue)
        step = next(steps)
        return queue[next(steps, step) if step == self.held else step]

    def _let_go(self, past: _Past, spared: frozenset[str]) -> None:
        past.run, left_bytes = thinned(past.run, spared)
        past.gone_bytes = past.store.kept_bytes - left_bytes
        self._count(past, left_bytes)

    def _count(self, past: _Past, tensor_bytes: int) -> None:
        change = tensor_bytes - past.tensor_bytes
        past.tensor_bytes = tensor_bytes
        self.kept_bytes += change
        if past.run.step in self._whole:
            self._whole_bytes += change

    def _forget(self, past: _Past) -> None:
        self._count(past, 0)
        self._calls -= len(past.run.calls)
        # Else the two would hold each other, and the run's tensors with them, until Python collects garbage.
        past.store.make_room = _nobody_has_to
        for queue in (self._past, self._whole, self._thin):
            queue.pop(past.run.step, None)


def _nobody_has_to(_kept_bytes: int) -> int:
    """A run that is no longer remembered may get late gradients: they are no longer counted."""
    return sys.maxsize
