"""The cards are coloured by a number: chosen in the widget or in Python, live, and in the saved notebook."""

import re

from playwright.sync_api import expect

from tests.browser.cells import NET, RUN, SESSION, WATCH
from tests.browser.notebook_page import NotebookPage
from tests.browser.widget_view import WidgetView

TIME = re.compile(r"^[\d.,]+ (µs|ms|s)$")
MARKED = "print(session.colouring(session.graph(), 'scale').marks['module:head'].text)"


def test_a_chosen_number_colours_the_cards_and_follows_the_runs(notebook: NotebookPage) -> None:
    for source in [NET, WATCH, RUN]:
        notebook.run(source)
    widget = WidgetView(notebook, cell=1)
    choice = widget.root.get_by_label("Colour by")
    mark = widget.card("module:head").locator(".hv-mark text")

    choice.select_option("time")
    expect(widget.root.locator(".hv-scale")).to_have_text(re.compile("this run was traced"))
    notebook.run(RUN)
    expect(mark).to_have_text(TIME)
    choice.select_option("scale")
    before = notebook.run(f"{SESSION}\n{MARKED}").strip()
    expect(mark).to_have_text(before)
    notebook.run("output = model(100 * torch.rand(16, 4))")

    after = notebook.run(MARKED).strip()
    assert after != before
    expect(mark).to_have_text(after)
    expect(widget.card("module:head")).to_have_attribute("data-heat", "")


def test_the_magic_colours_and_the_saved_picture_has_the_colours(notebook: NotebookPage) -> None:
    notebook.run(NET)
    notebook.run("%load_ext hookviz\n%hookviz model --colour-by parameters")
    widget = WidgetView(notebook, cell=1)

    expect(widget.card("module:head").locator(".hv-mark text")).to_have_text("27")
    expect(widget.root.get_by_label("Colour by")).to_have_value("parameters")
    pictures = [output["data"].get("image/svg+xml", "") for output in notebook.outputs(cell=1)]
    assert "parameters: 27" in "".join(map("".join, pictures))
