"""What is left of the widget where no kernel runs."""

import base64
import re
import subprocess
import sys
from pathlib import Path

import nbformat
from playwright.sync_api import Page, expect

from tests.browser.cells import NET, RUN, WATCH
from tests.browser.notebook_page import NotebookPage
from tests.browser.widget_view import NUMBER, VALUE, WidgetView

PICTURE = "[data-mime-type='image/svg+xml']"


def saved(notebook: NotebookPage) -> Path:
    """A notebook in which a model was watched and run, saved."""
    for source in [NET, WATCH, RUN]:
        notebook.run(source)
    widget = WidgetView(notebook, cell=1)
    expect(widget.slot("module:head", "value")).to_have_text(VALUE)
    notebook.save()
    return notebook.server.notebooks / notebook.name


def test_live_widget_hides_the_static_picture(notebook: NotebookPage) -> None:
    saved(notebook)

    expect(notebook.area(1).locator(PICTURE)).to_have_count(1)
    expect(notebook.area(1).locator(PICTURE)).to_be_hidden()


def test_file_holds_the_last_values_as_svg_png_and_text(notebook: NotebookPage) -> None:
    path = saved(notebook)
    value = WidgetView(notebook, cell=1).slot("module:head", "value").text_content() or ""

    outputs = nbformat.read(path, as_version=4).cells[1].outputs

    assert ["application/vnd.jupyter.widget-view+json" in output.data for output in outputs] == [True, False]
    picture = outputs[1].data
    assert value in picture["image/svg+xml"].replace("&#160;", "\u00a0")
    assert picture["image/png"].startswith("iVBOR")
    assert "head" in picture["text/plain"]


def test_reopened_after_its_kernel_ended_the_picture_shows(notebook: NotebookPage) -> None:
    saved(notebook)
    notebook.server.end_kernels()

    notebook.reload()

    expect(notebook.area(1).locator(PICTURE)).to_be_visible()
    expect(notebook.area(1).locator(".hookviz")).to_have_count(0)


def test_html_of_nbconvert_shows_the_picture_offline(notebook: NotebookPage, page: Page) -> None:
    path = saved(notebook)
    command = [sys.executable, "-m", "jupyter", "nbconvert", "--to", "html", path.name]
    subprocess.run(command, cwd=path.parent, check=True, capture_output=True)
    page.context.set_offline(True)

    page.goto(path.with_suffix(".html").as_uri())

    picture = page.locator(".jp-RenderedSVG img")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.naturalWidth") > 100
    source = base64.b64decode((picture.get_attribute("src") or "").removeprefix("data:image/svg+xml;base64,")).decode()
    assert re.search(rf">{NUMBER}\s±", source)
