"""The widgets as a page of their own: Voilà serves a notebook that lays them out in boxes."""

import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Page, expect

from tests.browser.cells import NET
from tests.browser.server import START_SECONDS, environment, free_port, stop
from tests.browser.widget_view import BLANK, VALUE

BOXES = """
import ipywidgets
import hookviz
from hookviz.widget.widget import DiagramWidget, HooksWidget, InspectorWidget

session = hookviz.watch(model, every=1)
diagram, inspector, hooks = DiagramWidget(session), InspectorWidget(session), HooksWidget(session)
button, selected = ipywidgets.Button(description="Run the model"), ipywidgets.Label()
button.on_click(lambda _: model(torch.rand(16, 4)).sum().backward())
diagram.observe(lambda change: setattr(selected, "value", f"selected {change['new']}"), "selected")
ipywidgets.VBox([
    ipywidgets.HBox([button, selected]),
    ipywidgets.HBox([diagram, inspector]),
    ipywidgets.Tab([hooks], titles=["Hooks"]),
])
"""


@pytest.fixture
def app(tmp_path: Path) -> Iterator[str]:
    notebook = tmp_path / "boxes.ipynb"
    kernel = {"name": "python3", "display_name": "python3", "language": "python"}
    cells = [new_code_cell(NET), new_code_cell(BOXES)]
    nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": kernel}), notebook)
    with running_voila(notebook) as url:
        yield url


def test_what_is_chosen_in_one_box_shows_in_another_and_is_observed_in_python(page: Page, app: str) -> None:
    page.goto(app)
    diagram, inspector = (page.locator(f".hookviz[data-view='{view}']") for view in ("diagram", "inspector"))
    head = diagram.locator('[data-node="module:head"]')
    value = head.locator('text[data-slot="value"]')
    expect(value).to_have_text(BLANK, timeout=START_SECONDS * 1000)

    page.get_by_role("button", name="Run the model").click()
    expect(value).to_have_text(VALUE)
    head.locator(".hv-name").click()

    expect(inspector.locator(".hv-title")).to_have_text("head")
    expect(inspector.get_by_role("row").filter(has_text="shape").get_by_role("cell")).to_have_text("16 × 3")
    expect(page.get_by_text("selected module:head")).to_be_visible()
    expect(page.locator(".hookviz[data-view='switches']")).to_be_visible()

    diagram.get_by_label("Colour by").select_option("parameters")

    expect(head.locator(".hv-mark text")).to_have_text("27")


@contextmanager
def running_voila(notebook: Path) -> Iterator[str]:
    """Serve one notebook with Voilà, with no settings of the person who runs the tests."""
    home = notebook.parent
    url = f"http://127.0.0.1:{free_port()}/"
    command = [sys.executable, "-m", "voila", str(notebook), "--no-browser", f"--port={url.split(':')[2][:-1]}"]
    log = home / "voila.log"
    with log.open("w") as stream:
        process = subprocess.Popen(command, cwd=home, env=environment(home), stdout=stream, stderr=stream)
        try:
            wait_for_answer(f"{url}static/", process, log)
            yield url
        finally:
            stop(process)


def wait_for_answer(url: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    """Wait until the server answers anything; asking for the page itself would run the notebook."""
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=30).close()
            return
        except urllib.error.HTTPError:
            return
        except (urllib.error.URLError, TimeoutError):
            time.sleep(0.1)
    raise RuntimeError(f"Voilà gave no answer. It said:\n{log.read_text()}")
