"""Prints how long a click takes to be answered while a cell trains, for each kernel.

Run it with ``python -m tests.browser.click_times``; ``kernels`` says how to have more than the installed one.
"""

import statistics
import sys
import tempfile
from pathlib import Path
from typing import get_args

from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from tests.browser.cells import NET, WATCH
from tests.browser.chromium import launch
from tests.browser.kernels import available_versions, kernel_name
from tests.browser.notebook_page import NotebookPage
from tests.browser.server import App, JupyterServer, running_server
from tests.browser.widget_view import GRADIENT, WidgetView

SLOW_MS = 120_000
"""A machine that is busy with other things takes so long until all is there; only the clicks are measured."""

ATTEMPTS = 2

SCREENSHOTS = Path(__file__).parent / "output"
"""Of what could not be measured."""

CLICKS = 24
PAUSE_MS = 230
"""No multiple of anything that happens at fixed times."""

TRAIN = """
import pathlib
stop = pathlib.Path("stop")
torch.set_num_threads(1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
while not stop.exists():
    optimizer.zero_grad()
    model(torch.rand(2000, 4)).square().mean().backward()
    optimizer.step()
"""

# From the press to the frame in which the inspector shows the statistics of what was clicked.
MEASURE = """
async ([root, clicks, pause]) => {
    const shapes = { "module:head": "2000 × 3", "module:features.0": "2000 × 8" };
    const pane = root.querySelector(".hv-inspector-pane");
    const shown = () => [...pane.querySelectorAll("td")].map(cell => cell.textContent);
    const times = [];
    for (let click = 0; click < clicks; click += 1) {
        const id = Object.keys(shapes)[click % 2];
        const name = root.querySelector(`[data-node="${id}"] .hv-name`);
        await new Promise(resolve => setTimeout(resolve, pause));
        const began = performance.now();
        name.dispatchEvent(new MouseEvent("click", { bubbles: true }));
        while (performance.now() - began < 5000 && !shown().includes(shapes[id])) {
            await new Promise(requestAnimationFrame);
        }
        times.push(performance.now() - began);
    }
    return times;
}
"""


def click_times(browser: Browser, server: JupyterServer, app: App, version: str) -> list[float]:
    """Milliseconds of each click."""
    stop = server.notebooks / "stop"
    stop.unlink(missing_ok=True)
    page = browser.new_page(viewport={"width": 1500, "height": 1100})
    page.set_default_timeout(SLOW_MS)
    try:
        return measured(page, server, app, version)
    except PlaywrightError:
        SCREENSHOTS.mkdir(exist_ok=True)
        (SCREENSHOTS / f"click_times-{app}-{version}.png").write_bytes(page.screenshot())
        raise
    finally:
        stop.touch()
        page.close()
        server.end_kernels()


def measured(page: Page, server: JupyterServer, app: App, version: str) -> list[float]:
    """Open a notebook, train in it, and click."""
    name = server.write(f"{app}-{version.replace('.', '_')}.ipynb", kernel_name=kernel_name(version))
    notebook = NotebookPage(page, server, name, app).open()
    said = notebook.run(NET)
    if said:
        raise RuntimeError(f"The model could not be made: {said}")
    notebook.run(WATCH)
    widget = WidgetView(notebook, cell=1)
    widget.card("module:head").wait_for()
    notebook.start(TRAIN)
    # JupyterLab scrolled to the cell that runs, and took the widget's out of the page; looking at it brings it back.
    widget.slot("module:head", "gradient").filter(has_text=GRADIENT).wait_for()
    widget.select("module:head")
    widget.statistic("shape").wait_for()
    times: list[float] = page.evaluate(MEASURE, [widget.root.element_handle(), CLICKS, PAUSE_MS])
    (server.notebooks / "stop").touch()
    notebook.finish()
    return times


def attempt(browser: Browser, server: JupyterServer, app: App, version: str) -> list[float] | str:
    """Milliseconds of each click, from short to long; why there are none where no attempt succeeded."""
    why = ""
    for _ in range(ATTEMPTS):
        try:
            return sorted(click_times(browser, server, app, version))
        except (PlaywrightError, RuntimeError) as error:
            why = str(error).partition("\n")[0]
    return why


def main() -> None:
    """Measure and print a table."""
    out = sys.stdout
    out.write(f"{'front end':<12}{'ipykernel':<12}{'median':>8}{'90 %':>8}{'longest':>9}   of {CLICKS} clicks\n")
    with sync_playwright() as playwright, launch(playwright) as browser:
        for app in get_args(App):
            with tempfile.TemporaryDirectory() as home, running_server(Path(home), app=app) as server:
                for version in available_versions():
                    times = attempt(browser, server, app, version)
                    if isinstance(times, str):
                        out.write(f"{app:<12}{version:<12}not measured: {times}\n")
                        continue
                    median, most, longest = statistics.median(times), times[int(0.9 * len(times))], times[-1]
                    out.write(f"{app:<12}{version:<12}{median:>5.0f} ms{most:>5.0f} ms{longest:>6.0f} ms\n")
                    out.flush()


if __name__ == "__main__":
    main()
