"""What a running cell shows: the numbers that Python has, also in a page that is loaded again, and what it costs."""

import json
import re

from playwright.sync_api import expect

from tests.browser.cells import NET, OPTIMIZER, RUN, SESSION, TRAIN, WATCH
from tests.browser.notebook_page import NotebookPage
from tests.browser.widget_view import WidgetView

LOSS = "output.square().mean().backward()"

LINES = """
import json
from hookviz.widget.presentation import presentation_of
lines = {
    node_id: [data.spark, data.value, data.gradient]
    for node_id, data in presentation_of(session).node_data.items() if node_id.startswith("module:")
}
print(json.dumps(lines))
"""

STATUS = re.compile(
    r"live · step (\d+)(?: of \d+ runs shown)?\s*"
    r"captured \d+ of \d+ runs · "
    r"overhead \d+(\.\d+)? %(?: of the first \d+(?:\.\d+)? m?s)?(?:, settling below 5 %| \(limit 5 %\))\s*"
    r"kept [\d.]+ k?B of 256 MB"
)


def lines_on(widget: WidgetView, node_ids: list[str]) -> dict[str, list[str]]:
    """Histogram, value and gradient as they stand on the cards."""
    return {
        node_id: [
            (widget.slot(node_id, slot).text_content() or "").replace("\xa0", " ")
            for slot in ("spark", "value", "gradient")
        ]
        for node_id in node_ids
    }


def test_cards_say_what_python_says_also_in_a_page_that_is_loaded_again(notebook: NotebookPage) -> None:
    for source in [NET, WATCH, SESSION, RUN, LOSS]:
        notebook.run(source)
    expected = json.loads(notebook.run(LINES))
    widget = WidgetView(notebook, cell=1)

    expect(widget.slot("module:head", "gradient")).to_contain_text("∇")
    before = lines_on(widget, list(expected))
    notebook.save()
    notebook.reload()
    expect(widget.slot("module:head", "gradient")).to_contain_text("∇")

    assert set(expected) == {"module:features", "module:features.0", "module:features.1", "module:head"}
    assert before == expected
    assert lines_on(widget, list(expected)) == expected


def test_status_line_follows_the_run_that_goes_on(notebook: NotebookPage) -> None:
    for source in [NET + OPTIMIZER, WATCH, SESSION]:
        notebook.run(source)
    widget = WidgetView(notebook, cell=1)

    notebook.start_loop(TRAIN)
    expect(widget.status).to_contain_text(STATUS)
    found = STATUS.search(widget.status.text_content() or "")
    assert found is not None
    expect(widget.status).not_to_contain_text(re.compile(rf"step {found[1]}\b"))

    notebook.end_loop()
    assert notebook.run("session.run.step > 1") == "True"
