"""Messages to our widgets are answered while a cell runs; everybody else's wait in their order."""

import asyncio
import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
import zmq
from jupyter_client.manager import start_new_kernel
from jupyter_client.session import Session
from tornado.ioloop import IOLoop
from zmq.eventloop.zmqstream import ZMQStream

from hookviz.widget.pump import let_through, pump_for


class Kernel:
    """The names of an ipykernel 6 that the pump uses, with real sockets and a real session."""

    def __init__(self, context: zmq.Context[Any]) -> None:
        self.session = Session(key=b"key")
        self.io_loop = IOLoop(make_current=False)
        self.front_end = context.socket(zmq.PAIR)
        self.front_end.bind("inproc://shell")
        socket = context.socket(zmq.PAIR)
        socket.connect("inproc://shell")
        self.shell_stream = ZMQStream(socket, self.io_loop)
        self.shell_stream.on_recv(self._read, copy=False)
        self.comm_manager = SimpleNamespace(comms={})
        self.shell_handlers = dict.fromkeys(["comm_msg", "comm_open", "kernel_info_request"], self._handle)
        self.parent: Any = {"header": {"msg_id": "the cell"}}
        self._parent_ident = {"shell": [b"cell"]}
        self.answered: list[tuple[str, str]] = []
        self.read_later: list[str] = []
        self.states: list[tuple[str, str]] = []

    def send(self, kind: str, **content: Any) -> None:
        message = self.session.msg(kind, content)
        self.front_end.send_multipart([b"front end", *self.session.serialize(message)])

    def set_parent(self, identities: list[bytes], parent: Any, channel: str) -> None:
        self.parent = parent
        self._parent_ident = {channel: identities}

    def get_parent(self, channel: str) -> Any:
        return self.parent

    def _publish_status(self, state: str, channel: str) -> None:
        self.states.append((state, self.parent["header"].get("msg_type", "the cell")))

    def _handle(self, stream: Any, identities: Any, message: Any) -> None:
        self.answered.append((message["msg_type"], message["content"].get("comm_id", "")))

    def _read(self, frames: list[Any]) -> None:
        _, rest = self.session.feed_identities(frames, copy=False)
        self.read_later.append(self.session.deserialize(rest, copy=False)["content"]["code"])

    def finish_the_cell(self) -> None:
        self.io_loop.call_later(0.05, self.io_loop.stop)
        self.io_loop.start()

    def close(self) -> None:
        self.shell_stream.close()
        self.front_end.close()
        self.io_loop.close()


@pytest.fixture
def kernel() -> Iterator[Kernel]:
    context = zmq.Context[Any]()
    kernel = Kernel(context)

    yield kernel

    kernel.close()
    context.term()
    asyncio.set_event_loop(None)


def test_message_to_our_widget_is_answered_at_once(kernel: Kernel) -> None:
    comm = SimpleNamespace()
    let_through(comm)
    kernel.comm_manager.comms["ours"] = comm
    kernel.send("comm_msg", comm_id="ours", data={"method": "custom"})

    answered = pump_for(kernel)()  # type: ignore[misc]  # there is a pump for this kernel

    assert answered == 1
    assert kernel.answered == [("comm_msg", "ours")]


def test_cells_that_wait_run_later_and_in_their_order(kernel: Kernel) -> None:
    kernel.send("execute_request", code="first")
    kernel.send("kernel_info_request")
    kernel.send("execute_request", code="second")

    answered = pump_for(kernel)()  # type: ignore[misc]  # there is a pump for this kernel
    kernel.send("execute_request", code="third")
    kernel.finish_the_cell()

    assert answered == 1
    assert kernel.answered == [("kernel_info_request", "")]
    assert kernel.read_later == ["first", "second", "third"]


def test_other_widgets_wait_until_the_cell_is_done(kernel: Kernel) -> None:
    kernel.comm_manager.comms["theirs"] = SimpleNamespace(target_name="jupyter.widget")
    kernel.send("comm_msg", comm_id="theirs", data={"method": "update"}, code="theirs")
    kernel.send("comm_msg", comm_id="gone", data={"method": "update"}, code="gone")

    answered = pump_for(kernel)()  # type: ignore[misc]  # there is a pump for this kernel
    kernel.finish_the_cell()

    assert answered == 0
    assert kernel.read_later == ["theirs", "gone"]


def test_page_that_is_loaded_again_gets_the_state_of_all_widgets(kernel: Kernel) -> None:
    kernel.comm_manager.comms["control"] = SimpleNamespace(target_name="jupyter.widget.control")
    kernel.send("comm_open", comm_id="new", target_name="jupyter.widget.control")
    kernel.send("comm_msg", comm_id="control", data={"method": "request_states"})
    kernel.send("comm_msg", comm_id="theirs", data={"method": "request_state"})

    answered = pump_for(kernel)()  # type: ignore[misc]  # there is a pump for this kernel

    assert answered == 3


def test_output_of_the_cell_stays_with_the_cell(kernel: Kernel) -> None:
    kernel.send("kernel_info_request")

    pump_for(kernel)()  # type: ignore[misc]  # there is a pump for this kernel

    assert kernel.parent == {"header": {"msg_id": "the cell"}}
    assert kernel._parent_ident == {"shell": [b"cell"]}
    assert kernel.states == [
        ("busy", "kernel_info_request"),
        ("idle", "kernel_info_request"),
        ("busy", "the cell"),
    ]


def test_interrupt_while_answering_goes_to_the_cell(kernel: Kernel) -> None:
    def interrupted(stream: Any, identities: Any, message: Any) -> None:
        raise KeyboardInterrupt

    kernel.shell_handlers["kernel_info_request"] = interrupted
    kernel.send("kernel_info_request")

    with pytest.raises(KeyboardInterrupt):
        pump_for(kernel)()  # type: ignore[misc]  # there is a pump for this kernel

    assert kernel.parent == {"header": {"msg_id": "the cell"}}


def test_other_threads_answer_nothing(kernel: Kernel) -> None:
    kernel.send("kernel_info_request")
    pump = pump_for(kernel)
    assert pump is not None

    thread = threading.Thread(target=pump)
    thread.start()
    thread.join()

    assert kernel.answered == []
    assert pump() == 1


def test_kernel_without_the_private_names_has_no_pump() -> None:
    assert pump_for(SimpleNamespace(session=None)) is None


def test_comm_of_ipykernel_7_4_answers_where_the_front_end_asked() -> None:
    comm = SimpleNamespace(_reply_subshell_for=lambda data, default: None)

    let_through(comm)

    assert comm._reply_subshell_for({"method": "custom"}, "subshell 1") == "subshell 1"


CELL = """
import time, comm
from hookviz.widget.pump import let_through, pump_for
ours = comm.create_comm(target_name="test")
let_through(ours)
ours.on_msg(lambda message: ours.send({"answer": message["content"]["data"]}))
pump = pump_for(get_ipython().kernel)
end = time.time() + 60
answered = 0
print("running", flush=True)
while not answered and time.time() < end:
    answered = pump()
    time.sleep(0.01)
print("answered", answered)
"""


def test_real_kernel_answers_while_its_cell_runs() -> None:
    manager, client = start_new_kernel()
    try:
        cell = client.execute(CELL)
        seen: list[tuple[str, Any]] = []
        while True:
            message = client.get_iopub_msg(timeout=90)
            kind, content = message["msg_type"], message["content"]
            mine = message["parent_header"].get("msg_id") == cell
            if kind == "comm_open":
                comm_id = content["comm_id"]
            elif kind == "stream" and "running" in content["text"]:
                client.execute("print('the next cell')")
                client.shell_channel.send(client.session.msg("comm_msg", {"comm_id": comm_id, "data": "click"}))
            elif kind in ("comm_msg", "stream"):
                seen.append((kind, content.get("text", content.get("data"))))
            if kind == "status" and content["execution_state"] == "idle" and not mine and len(seen) == 3:
                break
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)

    assert seen == [
        ("comm_msg", {"answer": "click"}),
        ("stream", "answered 1\n"),
        ("stream", "the next cell\n"),
    ]
