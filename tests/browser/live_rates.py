"""Prints how live a picture of a thousand nodes is while a cell trains, and what that takes from the cell.

Run it with ``python -m tests.browser.live_rates``. Kernel, server and browser share the machine: on one with
two cores they wait for each other, and the longest frame is that of a bad moment.
"""

import json
import statistics
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from tests.browser.chromium import launch
from tests.browser.notebook_page import NotebookPage
from tests.browser.server import JupyterServer, running_server
from tests.browser.widget_view import GRADIENT, WidgetView

SECONDS = 20

NET = """
import hookviz, pathlib, time, torch
from torch import nn

torch.manual_seed(0)
torch.set_num_threads(1)
blocks = [[layer for _ in range(25) for layer in (nn.Linear(64, 64), nn.ReLU())] for _ in range(20)]
model = nn.Sequential(*(nn.Sequential(*layers) for layers in blocks))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
x = torch.rand(32, 64)
"""

WATCH = "%load_ext hookviz\n%hookviz model --depth 9 {options}"

TIMED = """
from hookviz.widget.presentation import presentation_of

session = hookviz.watch(model)
presentation = presentation_of(session)
tick, refreshes, layouts, steps = session.tick, [], [], 0

def timed():
    drawing, job, step = presentation.drawing, presentation.layout_under_way, presentation.scene.status["step"]
    began, began_cpu = time.perf_counter(), time.thread_time()
    paced = tick()
    if presentation.drawing is not drawing or presentation.layout_under_way is not job:
        layouts.append(time.perf_counter() - began)
    elif presentation.scene.status["step"] != step:
        refreshes.append(time.thread_time() - began_cpu)
    return paced

session.tick = timed
"""

TRAIN = """
stop = pathlib.Path("stop")
stop.unlink(missing_ok=True)
while not stop.exists():
    optimizer.zero_grad()
    model(x).square().mean().backward()
    optimizer.step()
    steps += 1
"""

# Ten times a second, all thousand cards get other numbers: what the browser makes of it, with next to no kernel.
SCENES = """
from hookviz.widget.presentation import presentation_of

presentation, scenes = presentation_of(hookviz.watch(model, every=1)), []
for _ in range(4):
    optimizer.zero_grad()
    model(torch.rand(32, 64)).square().mean().backward()
    presentation.refresh()
    scenes.append(presentation.scene)
"""

REPLAY = """
stop = pathlib.Path("stop")
stop.unlink(missing_ok=True)
shown = 0
while not stop.exists():
    for view in tuple(presentation._views):
        view.show(scenes[shown % len(scenes)])
    shown += 1
    time.sleep(0.1)
"""

# Frames come some 60 times a second; one in which a text of the picture changed has shown an update.
MEASURE = """
async ([root, seconds]) => {
    let changed = false;
    const observer = new MutationObserver(() => { changed = true; });
    observer.observe(root.querySelector(".hv-stage"), { subtree: true, childList: true, characterData: true });
    const updates = [], gaps = [];
    const began = performance.now();
    let last = began;
    while (last - began < seconds * 1000) {
        const now = await new Promise(requestAnimationFrame);
        gaps.push(now - last);
        last = now;
        if (changed) updates.push(now);
        changed = false;
    }
    observer.disconnect();
    return { updates: updates.length, gaps };
}
"""


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen in the browser."""

    updates: float
    """A second."""
    gaps_ms: list[float]
    """Between two frames, from short to long."""
    busy: float
    """Share of the time in which the main thread of the page was at work, or waited for the processor in it."""


@dataclass(frozen=True, slots=True)
class Rates:
    """What was seen in the browser, and what the kernel counted."""

    seen: Seen
    refreshes_ms: list[float]
    """What each that showed another step took from the cell's thread, from short to long; none in a replay."""
    layouts_ms: list[float]
    """How long layouts held the cell up: to be planned, and to be shown once they were made beside it."""
    steps: float
    """Of the training, a second."""


def live_rates(browser: Browser, server: JupyterServer, options: str) -> Rates:
    """Train for some seconds in one cell, with the picture in sight."""
    page, notebook, widget = shown_widget(browser, server, options)
    notebook.run(TIMED)
    notebook.start(TRAIN)
    widget.slot("module:0.0", "gradient").filter(has_text=GRADIENT).wait_for()
    seen = watch_frames(notebook, widget)
    steps, *counted = json.loads(notebook.run("import json; print(json.dumps([steps, refreshes, layouts]))"))
    refreshes, layouts = (sorted(1000 * seconds for seconds in each) for each in counted)
    page.close()
    server.end_kernels()
    return Rates(seen, refreshes, layouts, steps / SECONDS)


def replay_rates(browser: Browser, server: JupyterServer) -> Rates:
    """Show all cards other numbers ten times a second."""
    page, notebook, widget = shown_widget(browser, server, "--every 1")
    notebook.run(SCENES)
    notebook.start(REPLAY)
    widget.slot("module:0.0", "gradient").filter(has_text=GRADIENT).wait_for()
    seen = watch_frames(notebook, widget)
    page.close()
    server.end_kernels()
    return Rates(seen, [], [], 0.0)


def shown_widget(browser: Browser, server: JupyterServer, options: str) -> tuple[Page, NotebookPage, WidgetView]:
    """A notebook whose second cell shows the model with all of it unfolded."""
    page = browser.new_page(viewport={"width": 1500, "height": 1100})
    notebook = NotebookPage(page, server, server.write("rates.ipynb")).open()
    notebook.run(NET)
    notebook.run(WATCH.format(options=options))
    return page, notebook, WidgetView(notebook, cell=1)


def watch_frames(notebook: NotebookPage, widget: WidgetView) -> Seen:
    """Look at the frames of a cell that runs, and end it."""
    session = notebook.page.context.new_cdp_session(notebook.page)
    session.send("Performance.setTimeDomain", {"timeDomain": "threadTicks"})
    session.send("Performance.enable")
    before = busy_seconds(session)
    seen = notebook.page.evaluate(MEASURE, [widget.root.element_handle(), SECONDS])
    busy = busy_seconds(session) - before
    (notebook.server.notebooks / "stop").touch()
    notebook.finish()
    return Seen(seen["updates"] / SECONDS, sorted(seen["gaps"]), busy / SECONDS)


def busy_seconds(session: CDPSession) -> float:
    """What the page's main thread has worked so far."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration"))


def main() -> None:
    """Measure and print a table."""
    out = sys.stdout
    heads = [
        f"{'1,000 nodes':<24}{'updates/s':>10}{'busy':>8}{'frame gap ms':>26}",
        f"{'refresh ms of CPU':>26}{'layout ms':>12}",
    ]
    out.write(f"{heads[0]}{heads[1]}{'steps/s':>9}\n")
    heads = [f"{'':<42}{'median':>8}{'99 %':>8}{'longest':>10}", f"{'count':>8}{'median':>8}{'longest':>10}"]
    out.write(f"{heads[0]}{heads[1]}{'longest':>12}\n")
    measures: dict[str, Callable[[Browser, JupyterServer], Rates]] = {
        "replayed, 10 a second": replay_rates,
        "captured up to 5 %": lambda browser, server: live_rates(browser, server, ""),
        "each step captured": lambda browser, server: live_rates(browser, server, "--every 1"),
    }
    with sync_playwright() as playwright, launch(playwright) as browser:
        for name, measure in measures.items():
            with tempfile.TemporaryDirectory() as home, running_server(Path(home)) as server:
                rates = measure(browser, server)
            gaps, refreshes, layouts = rates.seen.gaps_ms, rates.refreshes_ms or [0.0], rates.layouts_ms or [0.0]
            out.write(f"{name:<24}{rates.seen.updates:>10.1f}{rates.seen.busy:>8.0%}")
            out.write(f"{statistics.median(gaps):>8.0f}{gaps[int(0.99 * len(gaps))]:>8.0f}{gaps[-1]:>10.0f}")
            out.write(f"{len(rates.refreshes_ms):>8}{statistics.median(refreshes):>8.1f}{refreshes[-1]:>10.1f}")
            out.write(f"{layouts[-1]:>12.0f}")
            out.write(f"{rates.steps:>9.1f}\n")
            out.flush()


if __name__ == "__main__":
    main()
