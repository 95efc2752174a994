"""Answers clicks on our widgets while a cell runs.

A kernel reads its shell channel between two cells. Front ends and kernels that give each comm a thread
of its own (JupyterLab 4.4 with ipykernel 7, by default) do not need this; all others do. The pump is
called between two runs of a model, reads what waits for the main shell, answers at once what concerns
our widgets, and hands everything else to the kernel's own queue in the order in which it came.

ipykernel has no public way for this. Every private name is looked up when the pump is made: where one
is missing there is no pump, and clicks are answered after the cell, as for any other widget.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable
from typing import Any, Protocol

logger = logging.getLogger("hookviz")

CONTROL_TARGET = "jupyter.widget.control"
"""Over this comm, a page that is loaded again asks for the state of all widgets."""

ANSWERED_DURING_RUNS = "hookviz_answers_during_runs"
"""Attribute that marks the comms of our widgets, so that nobody else's callback runs inside a cell."""


class Kernel(Protocol):
    """What is asked of the kernel without a guard: the public part."""

    session: Any
    shell_handlers: dict[str, Callable[[Any, Any, dict[str, Any]], Any]]
    comm_manager: Any


def let_through(comm: Any) -> None:
    """Let messages to one of our widgets be answered while a cell runs.

    ipykernel 7.4 sends them to the shell that last sent on this comm, which is the busy main one,
    even where the front end asked for another; see ``BaseComm._reply_subshell_for`` there.
    """
    if comm is None:
        return
    with contextlib.suppress(AttributeError):
        setattr(comm, ANSWERED_DURING_RUNS, True)
        if hasattr(comm, "_reply_subshell_for"):
            comm._reply_subshell_for = lambda _data, asked_for: asked_for


def pump_for(kernel: Any) -> Pump | None:
    """A pump for a running ipykernel; None if it is of a kind where messages cannot be let through."""
    try:
        return Pump(kernel)
    except AttributeError as missing:
        logger.info("Clicks are answered after the cell, since this kernel has no %s.", missing.name)
        return None


class Pump:
    """Call it between two runs of a model: in the main thread, it answers what waits, in 5 µs if nothing does.

    Raises:
        AttributeError: when made for a kernel that lacks one of the private names.
    """

    def __init__(self, kernel: Any) -> None:
        self._kernel: Kernel = kernel
        self._set_parent: Callable[..., None] = kernel.set_parent
        self._get_parent: Callable[[str], Any] = kernel.get_parent
        self._publish_status: Callable[[str, str], None] = kernel._publish_status
        self._identities: Any = kernel._parent_ident
        self._call_later: Callable[..., None] = kernel.io_loop.add_callback
        channel = getattr(kernel, "shell_channel_thread", None)
        if channel is not None:
            # ipykernel 7: a thread of its own reads the shell channel and passes on over a pair of sockets.
            self._stream = channel.manager.get_shell_channel_to_subshell_pair(None).to_stream
            self._reply_to = channel.manager.get_subshell_to_shell_channel_socket(None)
        else:
            self._stream = self._reply_to = kernel.shell_stream
        self._socket = self._stream.socket
        self._run_callback: Callable[..., None] = self._stream._run_callback
        self._is_pumping = False

    def __call__(self) -> int:
        """Answer what waits; how many messages that were."""
        if self._is_pumping or threading.current_thread() is not threading.main_thread():
            return 0
        self._is_pumping = True
        try:
            answered = 0
            # Until it is empty: what is left in a socket that was read does not wake up the kernel's loop.
            while self._socket.poll(0):
                answered += self._next()
            return answered
        finally:
            self._is_pumping = False

    def _next(self) -> int:
        frames = self._socket.recv_multipart(copy=False)
        try:
            found = self._message_for_now(frames)
        except BaseException:
            # An interrupt by the user, who is not to lose the cell that waits here.
            self._queue(frames)
            raise
        if found is None:
            self._queue(frames)
            return 0
        self._answer(*found)
        return 1

    def _queue(self, frames: list[Any]) -> None:
        # Exactly what the stream does with a message that it reads itself.
        self._call_later(self._run_callback, self._stream._recv_callback, frames)

    def _message_for_now(self, frames: list[Any]) -> tuple[list[bytes], dict[str, Any]] | None:
        session = self._kernel.session
        try:
            identities, rest = session.feed_identities(frames, copy=False)
            message = session.deserialize(rest, content=False, copy=False)
            # Unpacked by hand: deserialize() takes a signature only once, and the kernel still needs it.
            content = session.unpack(message["content"])
        except (ValueError, TypeError, KeyError):
            # Not a message but a mark between the kernel's own threads; it knows what to do with it.
            return None
        if not self._is_for_now(message["header"]["msg_type"], content):
            return None
        return identities, session.deserialize(rest, content=True, copy=False)

    def _is_for_now(self, kind: str, content: dict[str, Any]) -> bool:
        if kind in ("kernel_info_request", "comm_info_request"):
            return True
        if kind == "comm_open":
            return bool(content.get("target_name") == CONTROL_TARGET)
        if kind != "comm_msg":
            return False
        data = content.get("data")
        if isinstance(data, dict) and data.get("method") == "request_state":
            return True
        comm = self._kernel.comm_manager.comms.get(content.get("comm_id"))
        return getattr(comm, ANSWERED_DURING_RUNS, False) or getattr(comm, "target_name", "") == CONTROL_TARGET

    def _answer(self, identities: list[bytes], message: dict[str, Any]) -> None:
        cell_identity = self._identities
        if not isinstance(cell_identity, bytes | list):
            cell_identity = cell_identity["shell"]
        cell = self._get_parent("shell")
        try:
            self._set_parent(identities, message, channel="shell")
            self._publish_status("busy", "shell")
            answer = self._kernel.shell_handlers[message["header"]["msg_type"]](self._reply_to, identities, message)
            if asyncio.iscoroutine(answer):
                # These handlers are coroutines by their signature only: they never wait.
                with contextlib.suppress(StopIteration):
                    answer.send(None)
                answer.close()
            self._publish_status("idle", "shell")
        finally:
            self._set_parent(cell_identity, cell, channel="shell")
            # The front end took the idle above for the whole kernel's, but the cell is still running.
            self._publish_status("busy", "shell")
