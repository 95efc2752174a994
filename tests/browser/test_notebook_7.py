"""The same widget in Notebook 7."""

from playwright.sync_api import Page, expect

from tests.browser.cells import NET, RUN, WATCH
from tests.browser.notebook_page import NotebookPage
from tests.browser.server import JupyterServer
from tests.browser.widget_view import VALUE, WidgetView


def test_values_appear_and_a_click_shows_statistics(page: Page, notebook_7: JupyterServer) -> None:
    notebook = NotebookPage(page, notebook_7, notebook_7.write("story.ipynb", ""), "notebook").open()
    notebook.run(NET)
    notebook.run(WATCH)
    widget = WidgetView(notebook, cell=1)

    notebook.run(RUN)

    expect(widget.slot("module:head", "value")).to_have_text(VALUE)
    widget.select("module:head")
    expect(widget.statistic("shape")).to_have_text("16 × 3")
    expect(widget.histogram).to_be_visible()
