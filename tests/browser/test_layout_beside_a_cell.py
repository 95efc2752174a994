"""A layout that takes long does not stop the cell that trains: its steps and values go on in the old picture."""

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.cells import NET, OPTIMIZER, SESSION, TRAIN, WATCH
from tests.browser.notebook_page import NotebookPage
from tests.browser.widget_view import VALUE, WidgetView

SLOW_ENGINE = """
import sys
from pathlib import Path
sys.path.insert(0, {root!r})
import pytest
from tests.slow_engine import SlowEngine
engine = SlowEngine(Path({folder!r}), pytest.MonkeyPatch())
"""

STEP = re.compile(r"step (\d+)")


def wait_for_steps(widget: WidgetView, count: int) -> None:
    """Wait until the status line told of so many further steps."""
    for _ in range(count):
        found = STEP.search(widget.status.text_content() or "")
        assert found is not None
        expect(widget.status).not_to_contain_text(re.compile(rf"step {found[1]}\b"))


def test_steps_and_values_go_on_while_a_layout_is_under_way(notebook: NotebookPage, tmp_path: Path) -> None:
    for source in [NET, OPTIMIZER, WATCH, SESSION]:
        notebook.run(source)
    notebook.run(SLOW_ENGINE.format(root=str(Path(__file__).parents[2]), folder=str(tmp_path)))
    widget = WidgetView(notebook, cell=2)
    hint = widget.root.locator(".hv-hint")
    expect(hint).to_contain_text("Only the structure is known")

    notebook.start_loop(TRAIN)
    # The structure of the first run, whose layout is begun between two runs of the model.
    expect(widget.slot("module:head", "value")).to_have_text(VALUE)
    wait_for_steps(widget, 2)
    expect(hint).to_contain_text("Only the structure is known")
    (tmp_path / "go").touch()
    expect(hint).to_be_hidden()

    # A click.
    (tmp_path / "go").unlink()
    widget.card("module:features").locator(".hv-fold").first.click()
    wait_for_steps(widget, 2)
    expect(widget.card("module:features.0")).to_have_count(1)
    (tmp_path / "go").touch()
    expect(widget.card("module:features.0")).to_have_count(0)
    expect(widget.slot("module:features", "value")).to_have_text(VALUE)

    assert notebook.end_loop() == ""
    assert notebook.run("engine.running, session.is_open") == "([], True)"
