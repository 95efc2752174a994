"""A user whose training goes wrong is led to the module by the badge, the list and the way of the NaN."""

import re

from playwright.sync_api import expect

from tests.browser.axe import violations
from tests.browser.notebook_page import NotebookPage
from tests.browser.widget_view import WidgetView

MODEL = """
import hookviz, torch
from torch import nn

class Log(nn.Module):
    def forward(self, x):
        return x.log()

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 8), nn.Sequential(nn.ReLU(), nn.Linear(8, 8)), Log(), nn.Linear(8, 4))
with torch.no_grad():
    model[0].bias[:6] = -100
    model[1][1].weight.zero_()
    model[1][1].bias.fill_(1)
%load_ext hookviz
%hookviz model --every 1 --depth 0
"""

GOOD = """
with torch.no_grad():
    for _ in range(4):
        model(torch.randn(100, 8))
"""

BAD = """
model[1][1].bias.data[0] = -1
with torch.no_grad():
    model(torch.randn(100, 8))
"""


def test_user_is_led_to_what_looks_wrong(notebook: NotebookPage) -> None:
    notebook.run(MODEL)
    widget = WidgetView(notebook, cell=0)
    opener = widget.root.locator(".hv-health-opener")
    expect(opener).to_be_hidden()

    # The dead units are inside of a folded container, which carries the badge.
    notebook.run(GOOD)
    widget = WidgetView(notebook, cell=0)
    expect(opener).to_have_text("1 thing looks wrong")
    expect(widget.card("module:1").locator(".hv-badge text")).to_have_text("!")
    opener.click()
    finding = widget.root.locator(".hv-health-list button").first
    expect(finding).to_contain_text("6 of 8 units of 1.0 (ReLU) are dead")
    finding.click()
    expect(widget.card("module:1.0").locator(".hv-badge")).to_be_visible()
    expect(widget.inspector.locator(".hv-health-notes")).to_contain_text("6 of 8 units of 1.0 (ReLU) are dead")
    assert notebook.run("[finding.symptom for finding in hookviz.watch(model).health()]") == "['dead units']"

    # A NaN is the more suspicious, and its way to the output is marked.
    notebook.run(BAD)
    widget = WidgetView(notebook, cell=0)
    expect(opener).to_have_text("2 things look wrong")
    opener.click()
    expect(widget.root.locator(".hv-health-list button b")).to_have_text(["NaN", "dead units"])
    assert violations(widget.root) == []
    expect(widget.root.locator(".hv-health-list button").first).to_contain_text("NaN made in 2 (Log), step 5")
    on_way = re.compile(r"\bhv-on-way\b")
    for node in ("module:2", "module:3", "output"):
        expect(widget.card(node)).to_have_class(on_way)
    expect(widget.card("module:0")).not_to_have_class(on_way)
    expect(widget.root.locator('g.hv-edge[data-source="module:3"][data-target="output"]')).to_have_class(on_way)


def test_user_compares_two_trainings_in_the_history(notebook: NotebookPage) -> None:
    notebook.run(
        "import hookviz, torch\nfrom torch import nn\nmodel = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 4))\n"
        "%load_ext hookviz\n%hookviz model --every 1"
    )
    notebook.run(
        """
for lr in (0.1, 0.01):
    hookviz.watch(model).mark(f"lr={lr}")
    optimizer = torch.optim.SGD(model.parameters(), lr)
    for _ in range(10):
        optimizer.zero_grad()
        model(torch.randn(16, 8)).square().mean().backward()
        optimizer.step()
"""
    )
    widget = WidgetView(notebook, cell=0)

    widget.select("module:0")
    widget.tab("History").click()

    names = widget.inspector.locator(".hv-history-reading b")
    expect(names).to_have_text(["lr=0.01", "lr=0.1"])
    assert violations(widget.root) == []
    expect(widget.inspector.locator(".hv-history-title").last).to_contain_text("update / weight")
    assert notebook.run("hookviz.watch(model).history('0', 'output', 'mean', mark='lr=0.1')[0].tolist()[-1]") == "10"
