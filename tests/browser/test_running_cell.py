"""Clicks while a training cell runs: on each kind of kernel, in JupyterLab and in Notebook 7."""

from collections.abc import Iterator
from typing import get_args

import pytest
from playwright.sync_api import Page, expect

from tests.browser.cells import NET, OPTIMIZER, RUN, SESSION, TRAIN, WATCH
from tests.browser.kernels import OLDEST, kernel_name, versions
from tests.browser.notebook_page import NotebookPage
from tests.browser.server import App, JupyterServer
from tests.browser.widget_view import GRADIENT, VALUE, WidgetView

HOOK = "hook = model.head.register_forward_hook(lambda module, args, output: output + 5)"


@pytest.fixture(params=versions())
def kernel(request: pytest.FixtureRequest) -> str:
    return kernel_name(request.param)


@pytest.fixture(params=get_args(App))
def app(request: pytest.FixtureRequest) -> App:
    app: App = request.param
    return app


@pytest.fixture
def notebook(page: Page, app: App, kernel: str, request: pytest.FixtureRequest) -> Iterator[NotebookPage]:
    """A notebook whose second cell shows the widget of a network with a hook."""
    server: JupyterServer = request.getfixturevalue("lab" if app == "lab" else "notebook_7")
    # The name of the test has brackets, which no address has.
    name = server.write(f"{request.node.originalname}-{kernel.replace('.', '_')}.ipynb", kernel_name=kernel)
    notebook = NotebookPage(page, server, name, app).open()
    notebook.run(f"{NET}\n{HOOK}\n{OPTIMIZER}")
    notebook.run(WATCH)
    notebook.run(SESSION)
    yield notebook
    server.end_kernels()


def test_every_click_is_answered_while_the_model_is_trained(notebook: NotebookPage) -> None:
    widget = WidgetView(notebook, cell=1)
    notebook.start_loop(TRAIN)
    expect(widget.slot("module:head", "gradient")).to_have_text(GRADIENT)

    widget.select("module:head")
    expect(widget.statistic("shape")).to_have_text("16 × 3")
    widget.tab("Params").click()
    expect(widget.inspector.get_by_role("button", name="weight").first).to_be_visible()
    widget.card("module:features").locator(".hv-fold").first.click()
    expect(widget.card("module:features.0")).to_have_count(0)
    expect(widget.slot("module:features", "value")).to_have_text(VALUE)
    widget.pill("module:head", "<lambda>").click()
    expect(widget.pill("module:head", "<lambda>").locator("text")).to_have_text("○ <lambda>")
    widget.root.get_by_role("button", name="Pause").click()
    expect(widget.status).to_contain_text("paused")
    widget.root.get_by_role("button", name="Resume").click()
    expect(widget.status).to_contain_text("live")

    assert notebook.end_loop() == ""
    assert notebook.run("[hook.enabled for hook in session.hooks], session.is_paused") == "([False], False)"


def test_a_cell_that_shows_the_model_and_trains_it_outlives_all_clicks(notebook: NotebookPage) -> None:
    notebook.start(
        f"import pathlib\nother = Net()\nget_ipython().run_line_magic('hookviz', 'other')\n"
        f"while not pathlib.Path({notebook.stop.name!r}).exists():\n"
        "    other.zero_grad()\n    other(torch.rand(16, 4)).square().mean().backward()"
    )
    widget = WidgetView(notebook, cell=-1)
    expect(widget.slot("module:head", "gradient")).to_have_text(GRADIENT)

    for _ in range(6):
        for node, shape in (("module:head", "16 × 3"), ("module:features.0", "16 × 8")):
            widget.select(node)
            expect(widget.statistic("shape")).to_have_text(shape)
            widget.tab("Params").click()
            expect(widget.inspector.get_by_role("button", name="weight").first).to_be_visible()
            widget.tab("Output").click()
    expect(widget.root.locator(".hv-problem")).to_be_hidden()

    assert "Warning" not in notebook.end_loop()
    assert notebook.run("hookviz.watch(other).problem") == "''"


def test_page_that_is_loaded_again_during_the_run_gets_the_widget_back(notebook: NotebookPage) -> None:
    notebook.run(RUN)
    notebook.save()
    notebook.start_loop(TRAIN)

    notebook.page.reload()
    notebook.wait_until_loaded()
    widget = WidgetView(notebook, cell=1)

    expect(widget.slot("module:head", "gradient")).to_have_text(GRADIENT)
    widget.select("module:head")
    expect(widget.statistic("shape")).to_have_text("16 × 3")
    notebook.end_loop()


@pytest.mark.parametrize("kernel", [OLDEST], indirect=True)
def test_click_that_has_to_wait_is_answered_after_the_cell_and_the_status_line_says_so(
    notebook: NotebookPage,
) -> None:
    widget = WidgetView(notebook, cell=1)
    notebook.run(RUN)
    notebook.start_loop("pass")

    widget.select("module:head")

    expect(widget.status).to_contain_text("waiting for the kernel (the cell is running)")
    notebook.end_loop()
    expect(widget.statistic("shape")).to_have_text("16 × 3")
    expect(widget.status).to_contain_text("live")
