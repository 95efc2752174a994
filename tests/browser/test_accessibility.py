"""Nothing in the widget keeps people from using it: axe-core finds no fault, and every place shows its focus."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
import torch
from playwright.sync_api import Browser, expect
from torch import nn

from hookviz.session import watch
from tests.browser.axe import violations
from tests.browser.chromium import PATIENCE_MS
from tests.browser.contrast import ENOUGH, contrasts
from tests.browser.notebook_page import NotebookPage
from tests.browser.server import JupyterServer
from tests.browser.stillness import wait_for_animations
from tests.browser.widget_view import WidgetView

NET = """
import hookviz
import torch
from torch import nn
from torch.nn.utils import spectral_norm

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(spectral_norm(nn.Conv2d(1, 4, 3)), nn.ReLU(), nn.Flatten())
        self.head = nn.Linear(144, 3)

    def forward(self, x):
        return self.head(self.features(x))

def clip(gradient):
    return gradient.clamp(-0.01, 0.01)

def shift(module, args, output):
    return output + 5

torch.manual_seed(0)
model = Net()
model.head.weight.register_hook(clip)
model.features.register_forward_hook(shift)
"""

TRAIN = """
for step in range(4):
    model(torch.rand(2, 1, 8, 8)).sum().backward()
"""

SPOIL = "model.head.bias.data.fill_(float('nan'))\n" + TRAIN

HEAL = "model.head.bias.data.zero_()\n" + TRAIN

ALONE = """
from hookviz.widget import DiagramWidget, HooksWidget, InspectorWidget
from ipywidgets import HBox
session = hookviz.watch(model)
diagram = DiagramWidget(session)
diagram.selected = "module:head"
HBox([HooksWidget(session), diagram, InspectorWidget(session)])
"""


@pytest.fixture(scope="module")
def opened(browser: Browser, lab: JupyterServer) -> Iterator[NotebookPage]:
    """One notebook for all tests here: they look, and what they change in the kernel they change back."""
    page = browser.new_page(viewport={"width": 1600, "height": 1100})
    page.set_default_timeout(PATIENCE_MS)
    notebook = NotebookPage(page, lab, lab.write("accessibility.ipynb", "")).open()
    for source in [NET, "%load_ext hookviz\n%hookviz model --every 1 --inputs", TRAIN]:
        notebook.run(source)
    yield notebook
    page.close()
    lab.end_kernels()


@pytest.fixture(params=["light", "dark"])
def widget(request: pytest.FixtureRequest, opened: NotebookPage) -> Iterator[WidgetView]:
    """The widget in one of the themes, nothing selected."""
    widget = WidgetView(opened, cell=1)
    opened.use_theme(request.param)
    expect(widget.root).to_have_attribute("data-scheme", request.param)
    yield widget
    # What is open is closed from the inside to the outside; the last one closes the inspector. An answer of the
    # kernel that comes meanwhile draws anew what had the focus.
    for _ in range(20):
        widget.card("module:head").focus()
        opened.page.keyboard.press("Escape")
        if widget.inspector.is_hidden():
            break
        opened.page.wait_for_timeout(100)
    expect(widget.inspector).to_be_hidden()
    widget.root.get_by_role("combobox", name="Colour by").select_option("")


def test_the_widget_as_it_opens(widget: WidgetView) -> None:
    assert violations(widget.root) == []


def test_the_inspector_at_each_tab(widget: WidgetView) -> None:
    widget.select("module:features.0")
    expect(widget.tab("Output")).to_be_visible()
    tabs = widget.inspector.get_by_role("tab").all_inner_texts()
    assert len(tabs) >= 6
    for name in tabs:
        widget.tab(name).click()
        expect(widget.inspector.get_by_role("tabpanel", name=name, exact=True)).to_contain_text(re.compile(r"\w{4}"))

        assert violations(widget.root) == [], name


@pytest.mark.parametrize("form", ["Map", "Grid", "Line", "Table"])
def test_values_in_each_form(widget: WidgetView, form: str) -> None:
    widget.select("module:features.0")
    widget.tab("Output").click()
    button = widget.inspector.get_by_role("button", name=form, exact=True)
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")

    assert violations(widget.root) == []


def test_two_values_side_by_side(widget: WidgetView) -> None:
    widget.select("module:features.0")
    widget.tab("Output").click()
    widget.inspector.get_by_role("button", name="Compare with…").click()
    widget.select("module:features.1")
    expect(widget.inspector.get_by_role("columnheader", name="A − B")).to_be_visible()

    assert violations(widget.root) == []

    widget.inspector.get_by_role("button", name="End", exact=True).click()


def test_a_step_of_the_past(widget: WidgetView) -> None:
    page = widget.notebook.page
    widget.card("module:head").focus()
    page.keyboard.press("[")
    expect(widget.root.get_by_role("button", name="Back to live")).to_be_visible()

    assert violations(widget.root) == []

    page.keyboard.press("l")


@pytest.mark.parametrize("by", ["scale", "gradient", "zeros", "time", "memory", "parameters"])
def test_every_text_on_coloured_cards_stands_out(widget: WidgetView, by: str) -> None:
    widget.root.get_by_role("combobox", name="Colour by").select_option(by)
    expect(widget.card("module:head")).to_have_attribute("aria-description", re.compile(r"\d"))

    assert violations(widget.root) == []
    assert too_faint(widget) == []


def too_faint(widget: WidgetView) -> list[str]:
    found = contrasts(widget.root.locator(".hv-stage > svg"))
    assert "hv-name on hv-group" in found
    return [kind for kind, contrast in found.items() if contrast < ENOUGH]


def test_the_form_for_an_intervention(widget: WidgetView) -> None:
    widget.select("module:head")
    widget.tab("Hooks").click()
    widget.inspector.get_by_role("button", name="Intervene on head").click()
    expect(widget.inspector.get_by_role("combobox", name="Intervention")).to_be_focused()

    assert violations(widget.root) == []

    widget.inspector.get_by_role("button", name="Cancel").click()


def test_what_was_found(widget: WidgetView) -> None:
    widget.card("module:head").focus()
    widget.notebook.page.keyboard.press("/")
    widget.notebook.page.keyboard.type("conv")
    expect(widget.root.get_by_role("listbox", name="Hits").get_by_role("option")).to_have_count(1)

    assert violations(widget.root) == []


def test_the_menu_of_exports(widget: WidgetView) -> None:
    widget.root.get_by_role("button", name="Export").click()
    expect(widget.root.get_by_role("menuitem", name="SVG")).to_be_focused()

    assert violations(widget.root) == []


def test_the_help(widget: WidgetView) -> None:
    widget.card("module:head").focus()
    widget.notebook.page.keyboard.press("?")
    dialog = widget.root.get_by_role("dialog", name="Keys and signs")
    expect(dialog).to_be_visible()

    assert violations(dialog) == []


@pytest.mark.parametrize("trouble", [False, True])
def test_every_text_of_the_picture_stands_out(opened: NotebookPage, widget: WidgetView, trouble: bool) -> None:
    if trouble:
        opened.run(SPOIL)
        expect(widget.slot("module:head", "trouble")).to_contain_text("NaN")
    widget.select("module:head")
    expect(widget.card("module:head")).to_have_attribute("aria-current", "true")

    if trouble:
        # What looks wrong is listed above the status line, and is open with its first line in focus.
        widget.root.locator(".hv-health-opener").click()
        expect(widget.root.get_by_role("group", name="What looks wrong")).to_be_visible()

    assert too_faint(widget) == []
    assert violations(widget.root) == []

    if trouble:
        opened.run(HEAL)


def test_each_pane_alone(opened: NotebookPage) -> None:
    opened.run(ALONE)
    for name in ["switches", "diagram", "inspector"]:
        pane = opened.area(-1).locator(f".hookviz[data-view={name}]")
        expect(pane).to_be_visible()
        expect(pane.locator(".hv-statistics, .hv-value, .hv-hook").first).to_be_visible()

        assert violations(pane) == []


STOP = """() => {
    const stop = document.activeElement;
    if (stop.closest(".hookviz") === null) return null;
    const { outlineStyle, outlineWidth } = getComputedStyle(stop);
    const shape = stop.querySelector(":scope > :is(.hv-shape, .hv-pill-shape)");
    return {
        name: stop.getAttribute("aria-label") ?? stop.textContent,
        is_seen: shape === null ? outlineStyle === "solid" && outlineWidth === "2px"
            : parseFloat(getComputedStyle(shape).strokeWidth) >= 2.5,
        is_on_page: stop.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
    };
}"""
"""What has the focus, null where it is no part of a widget."""


def test_tab_leads_through_the_widget_and_out_and_each_stop_shows_its_focus(widget: WidgetView) -> None:
    page = widget.notebook.page
    widget.select("module:head")
    widget.tab("Output").click()
    expect(widget.statistic("shape")).to_be_visible()
    widget.root.get_by_role("combobox", name="Find").focus()

    stops = []
    while (stop := page.evaluate(STOP)) is not None:
        stops.append(stop)
        page.keyboard.press("Tab")
        wait_for_animations(widget.root)

    assert [stop["name"] for stop in stops if not (stop["is_seen"] and stop["is_on_page"])] == []
    names = " | ".join(stop["name"] for stop in stops)
    order = ["Find by path", "Pause", "Export", "outputs, every module", "all 2 hooks shown", "Width of the hooks"]
    order += ["head, Linear", "clip, tensor hook", "Help", "Zoom out", "Close the inspector", "Output", "Heat map"]
    assert sorted(order, key=names.index) == order


def test_forced_colours_leave_switches_told_apart_and_the_focus_seen(widget: WidgetView) -> None:
    page = widget.notebook.page
    page.emulate_media(forced_colors="active")
    wait_for_animations(widget.root)
    colour = "track => getComputedStyle(track).backgroundColor"
    paper = widget.root.evaluate(colour)

    tracks = [track.evaluate(colour) for track in widget.hooks.locator(".hv-switch").all()]
    widget.card("module:head").focus()
    page.keyboard.press("ArrowUp")
    wait_for_animations(widget.root)
    stop = page.evaluate(STOP)
    page.emulate_media(forced_colors="none")

    assert len(tracks) > 4
    assert paper not in tracks
    assert stop["is_seen"]


def test_a_run_changes_the_card_many_times_and_says_so_seldom(widget: WidgetView) -> None:
    page = widget.notebook.page
    widget.notebook.start_loop("model(torch.rand(2, 1, 8, 8)).sum().backward()")
    widget.card("module:head").focus()
    widget.root.evaluate(
        """root => {
            window.changes = { seen: 0, said: 0 };
            const spoken = "[role=status], [role=alert], [aria-live=polite], output";
            new MutationObserver(records => {
                for (const { type, target } of records) {
                    const element = target instanceof Element ? target : target.parentElement;
                    if (type === "attributes") window.changes.said += element === document.activeElement;
                    else if (element?.closest(spoken)) window.changes.said += 1;
                    else if (element?.closest("[data-slot=value]")) window.changes.seen += 1;
                }
            }).observe(root, { subtree: true, childList: true, characterData: true, attributeFilter: ["aria-label"] });
        }"""
    )

    page.wait_for_function("() => window.changes.seen > 20")
    widget.notebook.end_loop()

    assert page.evaluate("() => window.changes.said") <= 4


@pytest.mark.parametrize(("motion", "moves"), [("reduce", False), ("no-preference", True)])
def test_cards_glide_only_where_motion_is_not_reduced(
    widget: WidgetView, motion: Literal["reduce", "no-preference"], moves: bool
) -> None:
    page = widget.notebook.page
    page.emulate_media(reduced_motion=motion)
    page.evaluate(
        """() => {
            const { animate } = Element.prototype;
            window.glided = 0;
            Element.prototype.animate = function (...how) {
                window.glided += 1;
                return animate.apply(this, how);
            };
        }"""
    )

    for is_there in [False, True]:
        widget.card("module:features").focus()
        page.keyboard.press("Space")
        expect(widget.card("module:features.1")).to_have_count(int(is_there))

    assert (page.evaluate("() => window.glided") > 0) == moves


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_exported_page(browser: Browser, tmp_path: Path, scheme: str) -> None:
    model = nn.Sequential(nn.Conv2d(1, 4, 3), nn.Flatten(), nn.Linear(144, 2))
    with watch(model, every=1) as session:
        session.hook("2", "forward", lambda _module, _args, output: output * 2)
        model(torch.randn(2, 1, 8, 8)).sum().backward()
        session.export(tmp_path / "model.html")
    page = browser.new_page(color_scheme="dark" if scheme == "dark" else "light")
    page.goto((tmp_path / "model.html").as_uri())
    page.locator("[data-node='module:2']").click()
    expect(page.locator(".hv-histogram").first).to_be_visible()

    assert violations(page.locator("html")) == []

    page.close()
