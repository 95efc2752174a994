"""A Jupyter server and a browser for all stories, a fresh page for each."""

from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from tests.browser.chromium import PATIENCE_MS, launch
from tests.browser.notebook_page import NotebookPage
from tests.browser.server import JupyterServer, running_server

SCREENSHOTS = Path(__file__).parent / "output"
FAILED = pytest.StashKey[bool]()

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JupyterServer]:
    with running_server(tmp_path_factory.mktemp("lab"), app="lab") as server:
        yield server


@pytest.fixture(scope="session")
def notebook_7(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JupyterServer]:
    with running_server(tmp_path_factory.mktemp("notebook_7"), app="notebook") as server:
        yield server


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    # Not for the whole session: Playwright keeps an event loop running, which other tests could not start then.
    with sync_playwright() as playwright, launch(playwright) as chromium:
        yield chromium


@pytest.fixture
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page without history. A failed test leaves its picture; an error of ours in the console fails a test."""
    context = browser.new_context(viewport={"width": 1600, "height": 1100})
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    complaints: list[str] = []
    # Jupyter has errors of its own. Ours come from the widget's module, which anywidget loads from a blob.
    page.on("pageerror", lambda error: complaints.extend([str(error)] if "blob:" in (error.stack or "") else []))
    page.on("console", lambda message: complaints.extend([message.text] if is_ours(message) else []))

    yield page

    if request.node.stash.get(FAILED, False):
        SCREENSHOTS.mkdir(exist_ok=True)
        # Given a path, Playwright would start a thread to write it.
        (SCREENSHOTS / f"{request.node.name}.png").write_bytes(page.screenshot())
    context.close()
    assert complaints == []


@pytest.fixture
def notebook(page: Page, lab: JupyterServer, request: pytest.FixtureRequest) -> Iterator[NotebookPage]:
    """A new notebook in JupyterLab, its kernel idle."""
    notebook = NotebookPage(page, lab, lab.write(f"{request.node.name}.ipynb", "")).open()
    yield notebook
    lab.end_kernels()


def is_ours(message: ConsoleMessage) -> bool:
    return message.type == "error" and any(name in message.text.lower() for name in ["hookviz", "anywidget"])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: "pytest.CallInfo[None]"
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    return report


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.browser)
