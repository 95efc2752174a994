"""What a widget says once its kernel was started anew: it is still on the page, and nothing answers it."""

from playwright.sync_api import Page, expect

from tests.browser.cells import NET, RUN, WATCH
from tests.browser.notebook_page import NOTEBOOK, NotebookPage
from tests.browser.widget_view import VALUE, WidgetView

LAST_STATE = "no kernel: the last state is shown"


def test_a_restart_is_told_and_a_click_does_not_wait_for_an_answer(notebook: NotebookPage, page: Page) -> None:
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    notebook.run(NET)
    notebook.run(WATCH)
    notebook.run(RUN)
    widget = WidgetView(notebook, cell=1)
    expect(widget.slot("module:head", "value")).to_have_text(VALUE)

    page.evaluate(f"() => {NOTEBOOK}.sessionContext.session.kernel.restart()")
    expect(widget.status).to_contain_text(LAST_STATE)
    expect(widget.root.get_by_role("button", name="Pause")).to_be_disabled()
    expect(widget.root.get_by_role("switch", name="outputs, every module")).to_be_disabled()
    widget.select("module:head")

    expect(widget.inspector).to_contain_text("There is no kernel to look inside.")
    expect(widget.status).to_contain_text(LAST_STATE)
    assert [error for error in errors if "Cannot send" in error] == []
