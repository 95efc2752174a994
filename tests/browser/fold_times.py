"""Prints how a model of 5,000 modules feels in the browser: first picture, folding, panning, memory.

Run it with ``python -m tests.browser.fold_times``. All times are taken in the page: of the first picture from
the start of the cell, of folding from the click to the frame that shows the new picture.
"""

import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from tests.browser.chromium import launch
from tests.browser.notebook_page import NotebookPage
from tests.browser.server import JupyterServer, running_server
from tests.browser.widget_view import WidgetView

ROOT: Final = Path(__file__).parents[2]
REPEATS: Final = 12

MAKE = """
import sys
sys.path.insert(0, {root!r})
import torch
from tests.bench.gallery import ways
from tests.bench.models import five_thousand
model, inputs = {model}
%load_ext hookviz
"""
RUN = "output = model(*inputs)"

MODELS: Final = {
    "in rows": ("(lambda made: (made[0], (made[1],)))(five_thousand())", ["module:0", "module:0.0", "module:1"]),
    "varied": ("ways(22)", ["module:1", "module:1.branches.4", "module:1.branches.17"]),
}
"""What makes the model, and what is folded and unfolded."""

FOLD = """
async ([root, id, repeats]) => {
    const stage = root.querySelector(".hv-stage");
    const times = [];
    for (let i = 0; i < 2 * repeats; i += 1) {
        const mark = stage.querySelector(`[data-node="${id}"] .hv-fold-target`);
        const before = stage.firstElementChild;
        await new Promise(resolve => setTimeout(resolve, 400));
        const began = performance.now();
        mark.dispatchEvent(new MouseEvent("click", { bubbles: true }));
        while (performance.now() - began < 10000 && stage.firstElementChild === before) {
            await new Promise(requestAnimationFrame);
        }
        await new Promise(requestAnimationFrame);
        times.push(performance.now() - began);
    }
    return times;
}
"""

FIRST = """
async source => {
    const notebook = window.jupyterapp.shell.currentWidget.content, { commands } = window.jupyterapp;
    notebook.activeCellIndex = notebook.widgets.length - 1;
    await commands.execute("notebook:insert-cell-below");
    notebook.activeCell.model.sharedModel.setSource(source);
    const area = notebook.activeCell.node;
    const began = performance.now();
    void commands.execute("notebook:run-cell");
    while (performance.now() - began < 60000 && area.querySelector(".hv-stage > svg") === null) {
        await new Promise(requestAnimationFrame);
    }
    await new Promise(requestAnimationFrame);
    return performance.now() - began;
}
"""

PAN = """
async root => {
    const scroller = root.querySelector(".hv-scroller");
    const gaps = [];
    let last = performance.now();
    for (let i = 0; i < 120; i += 1) {
        scroller.scrollBy(i % 60 < 30 ? 25 : -25, i < 60 ? 40 : -40);
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        gaps.push(now - last);
        last = now;
    }
    return gaps;
}
"""


def measure(browser: Browser, server: JupyterServer, name: str) -> list[str]:
    """One line for each thing that is measured."""
    model, folded = MODELS[name]
    page = browser.new_page(viewport={"width": 1700, "height": 1000})
    notebook = NotebookPage(page, server, server.write(f"{name.replace(' ', '_')}.ipynb", "")).open()
    notebook.run(MAKE.format(root=str(ROOT), model=model))
    devtools = page.context.new_cdp_session(page)
    heap_before, resident_before = heap(devtools), resident(browser, page)
    first: float = page.evaluate(FIRST, "%hookviz model")
    notebook.run(RUN)
    widget = WidgetView(notebook, cell=1)
    widget.root.locator(".hv-value", has_text="±").first.wait_for()
    lines = [f"first picture      {first:>6.0f} ms"]
    root = widget.root.element_handle()
    for node_id in folded:
        times: list[float] = page.evaluate(FOLD, [root, node_id, REPEATS])
        for what, some in (("first", times[::2]), ("then back", times[1::2])):
            lines.append(f"{node_id:<22}{what:<10}{told(some)}")
    notebook.run("%hookviz model --depth 2")
    large = WidgetView(notebook, cell=-1)
    large.root.locator(".hv-stage > svg").wait_for()
    nodes = large.root.locator("[data-node]").count()
    gaps: list[float] = page.evaluate(PAN, large.root.element_handle())
    lines.append(f"panning over {nodes:,} nodes: frames {told(gaps)}")
    lines.append(f"JavaScript heap {heap(devtools) - heap_before:.0f} MB more than the notebook's {heap_before:.0f} MB")
    more = resident(browser, page) - resident_before
    lines.append(f"renderer's resident memory {more:.0f} MB more than the notebook's {resident_before:.0f} MB")
    page.close()
    server.end_kernels()
    return lines


def told(times: list[float]) -> str:
    """Median, 90 % and longest."""
    times = sorted(times)
    return (
        f"median {statistics.median(times):>5.0f} ms, 90 % {times[int(0.9 * len(times))]:>5.0f} ms, "
        f"longest {times[-1]:>5.0f} ms"
    )


def heap(devtools: CDPSession) -> float:
    """Megabytes that scripts hold, after a collection."""
    devtools.send("HeapProfiler.collectGarbage")
    usage: dict[str, Any] = devtools.send("Runtime.getHeapUsage")
    return float(usage["usedSize"]) / 2**20


def resident(browser: Browser, page: Page) -> float:
    """Megabytes of the largest renderer: that of the notebook's page."""
    page.wait_for_timeout(500)
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    status = [Path(f"/proc/{each['id']}/status") for each in processes if each["type"] == "renderer"]
    kilobytes = [
        int(line.split()[1]) for path in status for line in path.read_text().splitlines() if line.startswith("VmRSS")
    ]
    return max(kilobytes) / 1024


def main() -> None:
    """Measure and print."""
    with (
        tempfile.TemporaryDirectory() as home,
        running_server(Path(home)) as server,
        sync_playwright() as playwright,
        launch(playwright) as browser,
    ):
        for name in sys.argv[1:] or MODELS:
            lines = measure(browser, server, name)
            sys.stdout.write("\n  ".join([f"5,000 modules, {name}:", *lines]) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
