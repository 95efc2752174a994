"""The widget in the output of one cell, as a user sees it."""

import re

from playwright.sync_api import Locator

from tests.browser.notebook_page import NotebookPage

NUMBER = r"[+-]\d\.\d\de[+-]\d\d"
VALUE = re.compile(rf"^{NUMBER}\s±\d\.\d\de[+-]\d\d\s*$")
GRADIENT = re.compile(r"^∇\s\d\.\d\de[+-]\d\d$")
BLANK = re.compile(r"^\s*$")


class WidgetView:
    """Finds the parts of a widget by what they are called; looking at it scrolls it into view."""

    def __init__(self, notebook: NotebookPage, cell: int) -> None:
        self.notebook = notebook
        self.cell = cell

    @property
    def root(self) -> Locator:
        return self.notebook.area(self.cell).locator(".hookviz")

    def card(self, node_id: str) -> Locator:
        """A node or an unfolded container of the diagram, such as ``module:head``."""
        return self.root.locator(f'[data-node="{node_id}"]')

    def slot(self, node_id: str, name: str) -> Locator:
        """One text of a card: ``name``, ``value``, ``gradient``, ..."""
        return self.card(node_id).locator(f'text[data-slot="{name}"]')

    def select(self, node_id: str) -> None:
        """Click a node, on its name."""
        self.card(node_id).locator(".hv-name, .hv-label").first.click()

    @property
    def inspector(self) -> Locator:
        return self.root.locator(".hv-inspector-pane")

    @property
    def histogram(self) -> Locator:
        return self.inspector.locator(".hv-histogram")

    def statistic(self, name: str) -> Locator:
        """The value that stands beside a name in the inspector's table."""
        return self.inspector.get_by_role("row").filter(has_text=name).get_by_role("cell")

    def tab(self, name: str) -> Locator:
        return self.inspector.get_by_role("tab", name=name, exact=True)

    def switch(self, what: str, path: str | None = None) -> Locator:
        """The switch of one kind of capture, for every module or for one."""
        name = f"{what}, every module" if path is None else f"{what} of {path}"
        return self.root.get_by_role("switch", name=name, exact=True).first

    def pill(self, node_id: str, name: str) -> Locator:
        """The mark of a hook on a card."""
        return self.card(node_id).locator(".hv-pill").filter(has_text=name)

    @property
    def hover(self) -> Locator:
        """What is told of the pill under the pointer or with the focus."""
        return self.root.locator(".hv-hook-hover")

    @property
    def hooks(self) -> Locator:
        """The pane that lists the hooks."""
        return self.root.locator(".hv-switches-pane")

    def hook_switch(self, name: str) -> Locator:
        """The switch of one hook in the list, such as ``clip on head``."""
        return self.hooks.get_by_role("switch", name=name)

    @property
    def status(self) -> Locator:
        return self.root.locator(".hv-status")
