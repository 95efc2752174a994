"""One open notebook in the browser, driven as a user does: write a cell, run it, look at it."""

from pathlib import Path
from textwrap import indent
from typing import Any

from playwright.sync_api import Locator, Page

from tests.browser.server import App, JupyterServer

NOTEBOOK = "window.jupyterapp?.shell.currentWidget"
CELL_SECONDS = 120


class NotebookPage:
    """A notebook with its kernel, in JupyterLab or in Notebook 7."""

    def __init__(self, page: Page, server: JupyterServer, name: str, app: App = "lab") -> None:
        self.page = page
        self.server = server
        self.name = name
        self.app: App = app

    def open(self) -> "NotebookPage":
        """Load the page and wait until the kernel is idle; also what a reload does."""
        self.server.start_kernel(self.name)
        self.page.goto(self.server.address(self.name, self.app))
        return self.wait_until_loaded("idle")

    def wait_until_loaded(self, *states: str) -> "NotebookPage":
        """Wait for the cells and the kernel, which may be in one of these states, or in any if there are none."""
        self.page.wait_for_function(
            f"states => {{ const kernel = {NOTEBOOK}?.sessionContext?.session?.kernel;"
            f" return kernel && {NOTEBOOK}.content.widgets.length > 0"
            " && (states.length === 0 || states.includes(kernel.status)); }",
            arg=list(states),
            timeout=CELL_SECONDS * 1000,
        )
        if self.app == "lab":
            self.page.evaluate("() => window.jupyterapp.shell.collapseLeft()")
        return self

    def run(self, source: str) -> str:
        """Write a new last cell, run it, and give its text: what it printed, its value, its error."""
        self.start(source)
        return self.finish()

    def start(self, source: str) -> None:
        """Write a new last cell and run it, without waiting for its end."""
        self.page.evaluate(
            f"""async source => {{
                const notebook = {NOTEBOOK}.content, {{ commands }} = window.jupyterapp;
                notebook.deselectAll();
                notebook.activeCellIndex = notebook.widgets.length - 1;
                if (notebook.activeCell.model.sharedModel.source !== "") {{
                    await commands.execute("notebook:insert-cell-below");
                }}
                notebook.activeCell.model.sharedModel.setSource(source);
                // Its promise waits for the end of the run, which the caller may not want to.
                void commands.execute("notebook:run-cell");
            }}""",
            source,
        )

    def finish(self) -> str:
        """Wait for the end of the last cell and give its text."""
        self.page.wait_for_function(
            f"""() => {{
                const {{ model }} = {NOTEBOOK}.content.widgets.at(-1);
                return model.executionCount !== null && model.executionState === "idle";
            }}""",
            timeout=CELL_SECONDS * 1000,
        )
        return "".join(text_of(output) for output in self.outputs())

    @property
    def stop(self) -> Path:
        """The file at which a loop ends; where its page is gone, or its kernel is deaf, it can be made all the same."""
        return self.server.notebooks / f"{self.name}.stop"

    def start_loop(self, source: str) -> None:
        """Run these lines again and again in a new last cell, until ``end_loop``."""
        loop = f"while not pathlib.Path({self.stop.name!r}).exists():\n{indent(source.strip(), '    ')}"
        self.start(f"import pathlib, time\n{loop}\n    time.sleep(0.01)")

    def end_loop(self) -> str:
        """End the loop and give the text of its cell."""
        self.stop.touch()
        text = self.finish()
        self.stop.unlink()
        return text

    def outputs(self, cell: int = -1) -> list[dict[str, Any]]:
        """The outputs of a cell as they would be saved."""
        found: list[dict[str, Any]] = self.page.evaluate(
            f"cell => {NOTEBOOK}.content.widgets.at(cell).model.outputs.toJSON()", cell
        )
        return found

    def use_theme(self, scheme: str) -> None:
        """Show JupyterLab in its ``"light"`` or ``"dark"`` theme."""
        self.page.evaluate(
            """theme => window.jupyterapp.commands.execute("apputils:change-theme", { theme })""",
            f"JupyterLab {scheme.title()}",
        )

    def save(self) -> None:
        """Save, and wait until the file is written."""
        self.page.evaluate(f"() => {NOTEBOOK}.context.save()")

    def reload(self) -> "NotebookPage":
        """Load the page again while the kernel goes on."""
        self.page.reload()
        return self.open()

    def area(self, cell: int) -> Locator:
        """The output area of a cell, scrolled into view: JupyterLab keeps only cells near the view in the page."""
        index: int = self.page.evaluate(
            f"""async cell => {{
                const notebook = {NOTEBOOK}.content;
                const index = cell < 0 ? notebook.widgets.length + cell : cell;
                await notebook.scrollToItem(index, "start");
                return index;
            }}""",
            cell,
        )
        return self.page.locator(f".jp-Cell[data-windowed-list-index='{index}'] .jp-OutputArea").first


def text_of(output: dict[str, Any]) -> str:
    """What a reader sees of one output: stream, value or error."""
    if output["output_type"] == "error":
        return f"{output['ename']}: {output['evalue']}"
    text = output.get("text") or output.get("data", {}).get("text/plain") or ""
    return "".join(text)
