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
torch.set_num_threads(1)
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
for step in range(1500):
    batch = torch.randint(len(images), (256,))
    optimizer.zero_grad()
    cross_entropy(model(images[batch]), labels[batch]).backward()
    optimizer.step()
"""

CAUTIOUS = """
class Entropy(nn.Module):
    def forward(self, scores):
        shares = (10 * scores).softmax(1)
        return -(shares * shares.log()).sum(1)

class Cautious(nn.Module):
    def __init__(self):
        super().__init__()
        self.digits = Digits()
        self.entropy = Entropy()

    def forward(self, x):
        scores = self.digits(x)
        return scores, self.entropy(scores)

model = Cautious()
%load_ext hookviz
%hookviz model --every 1 --depth 1
"""

UNTIL_NAN = """
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
while True:
    batch = torch.randint(len(images), (32,))
    optimizer.zero_grad()
    scores, entropy = model(images[batch])
    loss = cross_entropy(scores, labels[batch]) - 0.01 * entropy.mean()
    loss.backward()
    if loss.isnan():
        break
    optimizer.step()
"""


def take_pictures() -> None:
    """Watch a small network learn, and fail to learn, and save what the browser shows of both."""
    IMAGES.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as home,
        running_server(Path(home)) as lab,
        sync_playwright() as playwright,
        launch(playwright) as browser,
    ):
        for name, take in {"hookviz": look_inside, "health": find_a_nan}.items():
            page = browser.new_page(viewport={"width": 1400, "height": 1200}, device_scale_factor=1.25)
            widget = take(NotebookPage(page, lab, lab.write(f"{name}.ipynb", "")).open())
            # The pointer would show the name of what it rests on.
            page.mouse.move(0, 0)
            (IMAGES / f"{name}.png").write_bytes(widget.root.screenshot(animations="disabled"))
            page.close()


def look_inside(notebook: NotebookPage) -> WidgetView:
    """A module's maps in the inspector, beside hooks of three kinds."""
    for source in [NET, WATCH, HOOKS, TRAIN]:
        notebook.run(source)
    widget = WidgetView(notebook, cell=1)
    expect(widget.slot("module:head", "gradient")).to_have_text(GRADIENT)
    widget.select("module:block.conv")
    expect(widget.inspector.locator(".hv-values canvas")).to_be_visible()
    _fit(widget, 860)
    return widget


def find_a_nan(notebook: NotebookPage) -> WidgetView:
    """A NaN at the module that made it, and its way to the loss."""
    for source in [NET, CAUTIOUS, UNTIL_NAN]:
        notebook.run(source)
    widget = WidgetView(notebook, cell=1)
    widget.select("module:entropy")
    expect(widget.root.locator(".hv-health-opener")).to_have_text("1 thing looks wrong")
    # It opens a moment after the click, which may be the first one of two.
    expect(widget.inspector.locator(".hv-health-notes")).to_be_visible()
    expect(widget.inspector.locator(".hv-health-notes")).to_contain_text("NaN made in entropy")
    _fit(widget, 700)
    return widget


def _fit(widget: WidgetView, height: int) -> None:
    """Drag the widget's lower edge to this height, and fit the picture in."""
    widget.root.evaluate("(root, height) => { root.style.height = `${height}px`; }", height)
    widget.root.get_by_role("button", name="Fit", exact=True).click()


if __name__ == "__main__":
    take_pictures()
