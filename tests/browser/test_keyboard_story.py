"""The main job without a mouse: go along the edges, look inside, switch a hook, fold, find, read the help, export."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.cells import NET, RUN, SESSION, WATCH
from tests.browser.notebook_page import NotebookPage
from tests.browser.widget_view import WidgetView

HOOK = """
def shift(module, args, output):
    return output + 5

handle = model.head.register_forward_hook(shift)
"""


@pytest.fixture
def widget(notebook: NotebookPage) -> WidgetView:
    """The widget of a network with a hook, after one run; the focus is in the toolbar."""
    notebook.run(NET + HOOK)
    notebook.run(WATCH)
    notebook.run(RUN)
    widget = WidgetView(notebook, cell=1)
    widget.root.get_by_role("button", name="Pause").focus()
    return widget


def test_arrows_lead_along_the_edges_enter_looks_inside_and_space_switches_a_hook(widget: WidgetView) -> None:
    press = widget.notebook.page.keyboard.press

    # A letter leads from the toolbar to the diagram; there, arrows lead along the edges.
    press("d")
    press("Home")
    expect(widget.card("input:x")).to_be_focused()
    press("ArrowDown")
    expect(widget.card("module:features.0")).to_be_focused()
    press("ArrowDown")
    expect(widget.card("module:features.1")).to_be_focused()
    press("ArrowDown")
    expect(widget.card("module:head")).to_be_focused()

    # Enter looks inside; the inspector's tabs are gone through by arrows.
    press("Enter")
    expect(widget.statistic("shape")).to_have_text("16 × 3")
    press("i")
    expect(widget.tab("Output")).to_be_focused()
    press("Shift+Tab")
    expect(widget.inspector.get_by_role("button", name="Close the inspector")).to_be_focused()
    press("Tab")
    expect(widget.tab("Output")).to_be_focused()
    press("ArrowRight")
    expect(widget.tab("Output")).to_have_attribute("aria-selected", "false")
    expect(widget.inspector.locator("[role=tab][aria-selected=true]")).to_be_focused()

    # Back on the card, Tab leads to its hook, and Space switches it.
    press("d")
    expect(widget.card("module:head")).to_be_focused()
    press("Tab")
    expect(widget.pill("module:head", "shift")).to_be_focused()
    expect(widget.hover).to_contain_text("shift on head")
    press("Space")
    expect(widget.pill("module:head", "shift")).to_have_attribute("aria-checked", "false")
    widget.notebook.run(SESSION)
    assert widget.notebook.run("[hook.enabled for hook in session.hooks if hook.label == 'shift']") == "[False]"


def test_folding_finding_help_and_export_need_no_mouse(widget: WidgetView) -> None:
    press = widget.notebook.page.keyboard.press

    # Left of what lies inside of a container is the container; Space folds it, and the focus stays.
    press("d")
    press("Home")
    press("ArrowDown")
    expect(widget.card("module:features.0")).to_be_focused()
    press("ArrowLeft")
    expect(widget.card("module:features")).to_be_focused()
    press("Space")
    expect(widget.card("module:features.1")).to_have_count(0)
    expect(widget.card("module:features")).to_be_focused()
    expect(widget.card("module:features")).to_have_attribute("aria-label", re.compile("^features, Sequential, folded"))

    # What is folded away is found, and Enter leads to it.
    press("/")
    widget.notebook.page.keyboard.type("relu")
    expect(widget.root.get_by_role("listbox", name="Hits").get_by_role("option")).to_have_count(1)
    press("Enter")
    expect(widget.card("module:features.1")).to_have_attribute("aria-current", "true")
    press("Escape")

    # A step of the path selects what it names, and goes; the focus is on a card then, and not in the notebook.
    step = widget.root.get_by_role("navigation").get_by_role("button", name="features", exact=True)
    step.focus()
    press("Enter")
    expect(step).to_have_count(0)
    expect(widget.root.locator("[data-node]:focus")).to_have_count(1)

    # The help lists the keys; closed, it gives the focus back.
    press("d")
    press("?")
    help_dialog = widget.root.get_by_role("dialog", name="Keys and signs")
    expect(help_dialog.get_by_role("heading", name="Keys and signs")).to_be_visible()
    expect(help_dialog).to_contain_text("go along the edges")
    press("Escape")
    expect(help_dialog).to_be_hidden()
    expect(widget.root.locator("[data-node]:focus")).to_have_count(1)

    # The menu of exports opens by Enter, and arrows choose.
    widget.root.get_by_role("button", name="Export").focus()
    press("Enter")
    expect(widget.root.get_by_role("menuitem", name="SVG")).to_be_focused()
    press("ArrowDown")
    press("ArrowDown")
    with widget.notebook.page.expect_download() as download:
        press("Enter")
    assert download.value.suggested_filename == "model.dot"
