"""The exported page from a file, offline: a click on a node shows its statistics and a heat map."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from playwright.sync_api import Browser, Page, expect
from torch import nn

from hookviz.session import watch


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small network with a hook, run once and exported."""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Conv2d(1, 4, 3), nn.Sequential(nn.ReLU(), nn.Flatten()), nn.Linear(144, 2))
    path = tmp_path_factory.mktemp("page") / "model.html"
    with watch(model, every=1) as session:
        session.name = "<img src=x onerror=alert(1)>"
        session.hook("2", "forward", lambda _module, _args, output: output * 2)
        model(torch.randn(2, 1, 8, 8)).sum().backward()
        session.export(path, depth=0)
    return path


@pytest.fixture(params=["light", "dark"])
def opened(request: pytest.FixtureRequest, browser: Browser, file: Path) -> Iterator[Page]:
    """The page in each colour scheme; it must not complain, nor ask for anything but itself."""
    context = browser.new_context(viewport={"width": 1400, "height": 900}, color_scheme=request.param, offline=True)
    page = context.new_page()
    complaints: list[str] = []
    asked: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    expect(page.locator(".hookviz")).to_have_attribute("data-scheme", request.param)

    yield page

    context.close()
    assert complaints == []
    assert [url for url in asked if not url.startswith("data:")] == [file.as_uri()]


def test_a_click_shows_the_statistics_and_the_values_of_a_node(opened: Page) -> None:
    opened.locator("[data-node='module:0']").click()

    inspector = opened.locator(".hv-inspector-pane")
    expect(inspector.locator(".hv-inspector-header")).to_contain_text("0 Conv2d")
    expect(inspector.locator(".hv-tensor")).to_contain_text("2 × 4 × 6 × 6")
    expect(inspector.locator(".hv-values")).to_contain_text("the recording has [0, :, :, :]")
    grid = inspector.get_by_role("img", name=re.compile("^Grid of 4 heat maps of 6 by 6 values"))
    expect(grid).to_be_visible()
    opened.wait_for_function(
        """canvas => {
            const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
            return new Set(new Uint32Array(pixels.buffer)).size > 5;
        }""",
        arg=grid.element_handle(),
    )
    grid.hover()
    expect(inspector.locator(".hv-values .hv-heat-box .hv-reading")).to_have_text(
        re.compile(r"^\[0, \d, \d, \d\] ≈ [−+\-]?\d")
    )


def test_what_was_recorded_is_looked_at_in_other_forms(opened: Page) -> None:
    opened.locator("[data-node='module:0']").click()
    inspector = opened.locator(".hv-inspector-pane")

    inspector.locator(".hv-values canvas").click(position={"x": 5, "y": 20})
    expect(inspector.get_by_role("img", name=re.compile("^Heat map of 6 by 6 values"))).to_be_visible()
    inspector.get_by_role("spinbutton", name="Position on axis 1 · channel").fill("3")
    expect(inspector.locator(".hv-code code")).to_have_text('session["0"].output.tensor[0, 3]')
    inspector.get_by_role("button", name="Table", exact=True).click()
    expect(inspector.locator(".hv-table tbody tr")).to_have_count(6)
    inspector.get_by_role("button", name="Line", exact=True).click()
    expect(inspector.get_by_role("img", name="Curve of 6 values")).to_be_visible()


def test_containers_unfold_by_the_layouts_that_were_recorded(opened: Page) -> None:
    expect(opened.locator("[data-node='module:1.0']")).to_have_count(0)

    opened.get_by_role("button", name="Unfold one level more").click()

    expect(opened.locator("[data-node='module:1.0']")).to_be_visible()
    expect(opened.get_by_role("button", name="Unfold one level more")).to_be_disabled()


def test_hooks_are_listed_and_cannot_be_switched(opened: Page) -> None:
    switch = opened.locator(".hv-hook [data-control=switch]")

    expect(opened.locator(".hv-hook")).to_contain_text("changed it")
    expect(switch).to_have_attribute("aria-disabled", "true")
    expect(switch).to_have_attribute("title", "Locked: this is a recording, without the model")
    expect(opened.get_by_role("button", name="Pause")).to_have_count(0)


def test_names_stay_text(opened: Page) -> None:
    expect(opened.locator(".hv-toolbar .hv-title")).to_have_text("<img src=x onerror=alert(1)>")
    expect(opened).to_have_title("<img src=x onerror=alert(1)>")
    expect(opened.locator("img")).to_have_count(0)
