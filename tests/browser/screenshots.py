"""Takes the pictures of the README: python -m tests.browser.screenshots."""

import tempfile
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from tests.browser.cells import WATCH
from tests.browser.chromium import launch
from tests.browser.notebook_page import NotebookPage
from tests.browser.server import running_server
from tests.browser.widget_view import GRADIENT, WidgetView

IMAGES = Path(__file__).parents[2] / "notebooks" / "images"

NET = """
import hookviz
import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.nn.functional import cross_entropy
from torch.nn.utils import spectral_norm

class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, x):
        return torch.relu(x + self.norm(self.conv(x)))

class Digits(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = spectral_norm(nn.Conv2d(1, 16, 3, padding=1))
        self.block = Block(16)
        self.pool = nn.AdaptiveMaxPool2d(4)
        self.head = nn.Linear(256, 10)

    def forward(self, x):
        return self.head(self.pool(self.block(self.stem(x))).flatten(1))

torch.manual_seed(0)
model = Digits()
digits = load_digits()
images = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 16
labels = torch.tensor(digits.target)
"""

HOOKS = """
def clip(gradient):
    return gradient.clamp(-0.01, 0.01)

def shift(module, args, output):
    return output + 5

model.head.weight.register_hook(clip)
model.block.norm.register_forward_hook(shift)
hookviz.watch(model).intervene("block.conv", hookviz.Scale(0.5), at="[:, 3]").disable();
"""

TRAIN = """
optimizer = torch.optim.Adam(model.parameters())
for step in range(30):
    batch = slice(32 * step, 32 * step + 32)
    optimizer.zero_grad()
    cross_entropy(model(images[batch]), labels[batch]).backward()
    optimizer.step()
"""


def take_pictures() -> None:
    """Watch a small network learn, look into one of its modules, and save what the browser shows."""
    with (
        tempfile.TemporaryDirectory() as home,
        running_server(Path(home)) as lab,
        sync_playwright() as playwright,
        launch(playwright) as browser,
    ):
        page = browser.new_page(viewport={"width": 1500, "height": 1100}, device_scale_factor=1.5)
        notebook = NotebookPage(page, lab, lab.write("digits.ipynb", "")).open()
        for source in [NET, WATCH, HOOKS, TRAIN]:
            notebook.run(source)
        widget = WidgetView(notebook, cell=1)
        expect(widget.slot("module:head", "gradient")).to_have_text(GRADIENT)
        widget.select("module:block.conv")
        expect(widget.inspector.locator(".hv-values canvas")).to_be_visible()
        # The pointer would show the name of what it rests on.
        page.mouse.move(0, 0)
        IMAGES.mkdir(exist_ok=True)
        (IMAGES / "hookviz.png").write_bytes(widget.root.screenshot())


if __name__ == "__main__":
    take_pictures()
