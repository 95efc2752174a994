"""What a notebook receives: a live widget, and a static picture that follows the values after each cell."""

from collections.abc import Iterator
from typing import Any

import nbformat
import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import start_new_kernel
from nbclient import NotebookClient

from hookviz.errors import NoNotebookError
from hookviz.magic.display import show

WIDGET = "application/vnd.jupyter.widget-view+json"

SETUP = """
import torch
from torch import nn
from hookviz.magic.extension import load_ipython_extension, unload_ipython_extension
from hookviz.widget import widget as widget_file
widget_file.read_bundle = lambda: ("export default {}", "")
load_ipython_extension(get_ipython())
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 3), nn.ReLU())
x = torch.ones(1, 2)
# %reset looks for garbage: among what a test made, and not in all of PyTorch.
__import__("gc").freeze()
"""


class Notebook:
    """Runs cells in a kernel and keeps what it sent."""

    def __init__(self, client: BlockingKernelClient) -> None:
        self._client = client

    def run(self, code: str, cell_id: str = "") -> list[tuple[str, Any]]:
        """Everything that the kernel sent for this cell, and the state of its reply at the end."""
        message = self._client.session.msg(
            "execute_request",
            {"code": code, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False},
            metadata={"cellId": cell_id} if cell_id else {},
        )
        self._client.shell_channel.send(message)
        sent: list[tuple[str, Any]] = []
        while True:
            received = self._client.get_iopub_msg(timeout=60)
            if received["parent_header"].get("msg_id") != message["msg_id"]:
                continue
            kind, content = received["msg_type"], received["content"]
            if kind == "status" and content["execution_state"] == "idle":
                break
            sent.append((kind, content))
        while True:
            # A kernel that was slow to start was asked more than once whether it is there, and answers each time.
            reply = self._client.get_shell_msg(timeout=60)
            if reply["parent_header"].get("msg_id") == message["msg_id"]:
                return [*sent, ("reply", reply["content"]["status"])]


@pytest.fixture(scope="module")
def client() -> Iterator[BlockingKernelClient]:
    manager, client = start_new_kernel()
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


@pytest.fixture
def notebook(client: BlockingKernelClient) -> Iterator[Notebook]:
    notebook = Notebook(client)
    assert notebook.run(SETUP)[-1] == ("reply", "ok")
    yield notebook
    notebook.run("unload_ipython_extension(get_ipython())\n%reset -f")


def of_kind(kind: str, sent: list[tuple[str, Any]]) -> list[Any]:
    return [content for sent_kind, content in sent if sent_kind == kind]


def test_live_widget_is_followed_by_a_static_picture(notebook: Notebook) -> None:
    sent = notebook.run("%hookviz model")

    live, static = (content["data"] for content in of_kind("display_data", sent))
    assert set(live) == {WIDGET, "text/plain"}
    assert live["text/plain"] == ""
    assert set(static) == {"image/svg+xml", "image/png", "text/plain"}
    assert 'class="hv-diagram hv-static"' in static["image/svg+xml"][:400]
    assert static["text/plain"].startswith("model\n")
    assert "Linear" in static["text/plain"]


def test_static_picture_follows_the_values_and_its_text_stays(notebook: Notebook) -> None:
    shown = of_kind("display_data", notebook.run("%hookviz model --every 1"))[1]
    notebook.run("model(x)")

    sent = notebook.run("model(5 * x)")

    (update,) = of_kind("update_display_data", sent)
    assert update["transient"]["display_id"] == shown["transient"]["display_id"]
    assert 'data-state="captured"' in update["data"]["image/svg+xml"]
    again = of_kind("update_display_data", notebook.run("model(7 * x)"))[0]["data"]
    assert again["image/svg+xml"] != update["data"]["image/svg+xml"]
    assert again["text/plain"] == update["data"]["text/plain"]


def test_cell_that_does_not_run_the_model_sends_nothing(notebook: Notebook) -> None:
    notebook.run("%hookviz model")
    notebook.run("model(x)")

    sent = notebook.run("1 + 1")

    assert [kind for kind, _ in sent] == ["status", "execute_input", "execute_result", "reply"]


def test_status_tells_after_the_cell_that_the_model_was_compiled(notebook: Notebook) -> None:
    notebook.run("%hookviz model")

    sent = notebook.run("compiled = torch.compile(model)")

    (state,) = [message["data"]["state"] for message in of_kind("comm_msg", sent)]
    assert state["status"]["message"].startswith("torch.compile(model) was made: calls of its result are not observ")


def test_widget_gets_the_values_once_at_the_end_of_a_short_cell(notebook: Notebook) -> None:
    notebook.run("%hookviz model --every 1")
    notebook.run("model(x)")

    sent = notebook.run("model(5 * x)")

    messages = [message["data"] for message in of_kind("comm_msg", sent)]
    assert [message["buffer_paths"] for message in messages] in ([[["numbers"]]], [[], [["numbers"]]])
    assert {name for message in messages for name in message["state"]} == {"status", "playback"}
    assert messages[-1]["state"]["status"]["step"] == 2


def test_running_a_cell_again_replaces_its_widget_and_keeps_the_selection(notebook: Notebook) -> None:
    notebook.run("%hookviz model", "cell 1")
    notebook.run(
        "from hookviz.magic.display import displays_of\n"
        "displays_of(get_ipython())._shown[0].widget.selected = 'module:1'",
        "cell 2",
    )

    sent = notebook.run("%hookviz model", "cell 1")

    assert len(of_kind("comm_close", sent)) >= 1
    opened = [content["data"]["state"] for content in of_kind("comm_open", sent)]
    assert [state["selected"] for state in opened if "selected" in state] == ["module:1"]


def test_another_cell_leaves_the_widget_alone(notebook: Notebook) -> None:
    notebook.run("%hookviz model", "cell 1")

    sent = notebook.run("%hookviz model", "cell 2")

    assert of_kind("comm_close", sent) == []
    assert len(of_kind("display_data", sent)) == 2


def test_picture_of_a_watched_cell_stays_after_its_session_closed(notebook: Notebook) -> None:
    sent = notebook.run("%%hookviz model --every 1\nmodel(x)")
    later = notebook.run("model(x)")

    (update,) = of_kind("update_display_data", sent)
    status = [message["data"]["state"]["status"] for message in of_kind("comm_msg", sent) if message["data"]["state"]]
    assert 'data-state="captured"' in update["data"]["image/svg+xml"]
    assert (status[-1]["state"], status[-1]["captured"]) == ("closed", 1)
    assert of_kind("update_display_data", later) == []


def test_error_in_a_watched_cell_fails_the_cell_once(notebook: Notebook) -> None:
    sent = notebook.run("%%hookviz model\nmodel(torch.ones(1, 9))")

    assert [error["ename"] for error in of_kind("error", sent)] == ["RuntimeError"]
    assert sent[-1] == ("reply", "error")


def test_mistake_in_the_line_is_one_line_without_a_traceback(notebook: Notebook) -> None:
    sent = notebook.run("%hookviz modle")

    (seen,) = of_kind("stream", sent)
    assert seen["text"] == "UsageError: %hookviz: name 'modle' is not defined. Models here: model.\n"
    assert of_kind("error", sent) == []
    assert sent[-1] == ("reply", "error")


def test_show_displays_a_session_from_python(notebook: Notebook) -> None:
    sent = notebook.run("import hookviz.session, hookviz.magic.display\nhookviz.magic.display.show(model, depth=0)")

    assert len(of_kind("display_data", sent)) == 2
    assert of_kind("execute_result", sent) == []


def test_nothing_is_sent_after_unloading(notebook: Notebook) -> None:
    notebook.run("%hookviz model")
    notebook.run("unload_ipython_extension(get_ipython())")

    sent = notebook.run("model(x)")

    assert of_kind("update_display_data", sent) == []
    assert of_kind("comm_msg", sent) == []


def test_show_outside_of_ipython_says_what_to_do_instead() -> None:
    with pytest.raises(NoNotebookError) as caught:
        show(None)  # type: ignore[arg-type]  # nobody reads it

    assert str(caught.value) == (
        "hookviz.show needs a notebook or IPython to display in. "
        "In a script, use session.text() or session.export('model.svg')."
    )


def test_notebook_that_is_run_without_a_browser_holds_the_last_picture() -> None:
    cells = [SETUP, "%hookviz model --every 1", "model(x)", "model(3 * x)"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])

    NotebookClient(notebook, timeout=60).execute()

    live, static = (output["data"] for output in notebook.cells[1].outputs)
    assert set(live) == {WIDGET, "text/plain"}
    assert 'data-state="captured"' in static["image/svg+xml"]
