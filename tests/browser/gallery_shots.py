"""Takes pictures of the widget for a look at them: python -m tests.browser.gallery_shots FOLDER [MODEL ...].

Each model of ``tests.bench.gallery`` is shown after one training step, in the light and the dark theme,
at three widths of the widget.
"""

import sys
import tempfile
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, sync_playwright

from tests.bench.gallery import GALLERY
from tests.browser.chromium import launch
from tests.browser.notebook_page import NotebookPage
from tests.browser.server import JupyterServer, running_server
from tests.browser.widget_view import WidgetView

WIDTHS: Final = (700, 1000, 1600)
THEMES: Final = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}
ROOT: Final = Path(__file__).parents[2]

MAKE = """
import sys
sys.path.insert(0, {root!r})
import torch
from tests.bench.gallery import GALLERY
torch.manual_seed(0)
model, inputs = GALLERY[{name!r}]()
%load_ext hookviz
"""
SHOW = "%hookviz model"
STEP = "model(*inputs).pow(2).mean().backward()"


def shoot(browser: Browser, lab: JupyterServer, name: str, folder: Path) -> None:
    """Save the pictures of one model."""
    page = browser.new_page(viewport={"width": 1700, "height": 900})
    notebook = NotebookPage(page, lab, lab.write(f"{name}.ipynb", "")).open()
    for source in [MAKE.format(root=str(ROOT), name=name), SHOW, STEP]:
        notebook.run(source)
    widget = WidgetView(notebook, cell=1)
    widget.root.locator(".hv-value", has_text="±").first.wait_for()
    for theme, title in THEMES.items():
        page.evaluate(
            "theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme, isPalette: true })", title
        )
        page.wait_for_timeout(800)
        for width in WIDTHS:
            beside = page.evaluate("root => innerWidth - root.clientWidth", widget.root.element_handle())
            page.set_viewport_size({"width": width + beside, "height": 900})
            # The pane opens the picture anew, and cards glide.
            page.wait_for_timeout(500)
            page.mouse.move(0, 0)
            (folder / f"{name}-{theme}-{width}.png").write_bytes(widget.root.screenshot())
    page.close()
    lab.end_kernels()


def main() -> None:
    """Take the pictures of the models that are named, or of all."""
    folder, *names = sys.argv[1:]
    Path(folder).mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as home,
        running_server(Path(home)) as lab,
        sync_playwright() as playwright,
        launch(playwright) as browser,
    ):
        for name in names or GALLERY:
            shoot(browser, lab, name, Path(folder))


if __name__ == "__main__":
    main()
