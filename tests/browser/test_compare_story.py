"""Two values side by side: two nodes, two steps, before and after a switched hook."""

import re

from playwright.sync_api import Locator, expect

from tests.browser.axe import violations
from tests.browser.cells import NET, SESSION, WATCH
from tests.browser.notebook_page import NotebookPage
from tests.browser.widget_view import WidgetView

HOOK = """
def double(module, args, output):
    return output * 2

model.features.register_forward_hook(double)
x = torch.rand(16, 4)
"""

RUN = "output = model(x)"


def comparison(widget: WidgetView) -> Locator:
    return widget.inspector.get_by_role("region", name="Comparison of A and B")


def bar(widget: WidgetView) -> Locator:
    return widget.inspector.get_by_role("group", name="Comparison")


def pin(widget: WidgetView) -> None:
    widget.inspector.get_by_role("button", name="Compare with…").click()


def difference(widget: WidgetView, name: str) -> Locator:
    """What is told of the difference value by value."""
    return comparison(widget).get_by_role("row").filter(has_text=name).get_by_role("cell").last


def test_before_and_after_a_switched_hook(notebook: NotebookPage) -> None:
    notebook.run(NET + HOOK)
    notebook.run(WATCH + " --every 1")
    notebook.run(RUN)
    widget = WidgetView(notebook, cell=1)
    widget.select("module:head")
    pin(widget)
    expect(bar(widget)).to_contain_text("head · output · step 1")
    expect(bar(widget)).to_contain_text("choose another node, call, tab or step")
    expect(comparison(widget)).to_be_hidden()

    widget.hook_switch("double on features").click()
    notebook.run(RUN)

    expect(bar(widget)).to_contain_text("head · output · step 2")
    expect(difference(widget, "values that differ")).to_have_text("48 of 48")
    expect(comparison(widget).get_by_role("img", name=re.compile("^Histograms of A and B"))).to_be_visible()
    expect(comparison(widget).locator(".hv-heat")).to_have_count(3)
    printed = notebook.run(
        SESSION
        + """
a, b = session.at_step(1)["head"].output, session["head"].output
found = session.compare(a, b).difference
print(list(found.index), f"{found.at_a:.4g}", f"{found.at_b:.4g}", f"{found.cosine:.6f}")
first = session.compare(session.at_step(1), session.at_step(2)).first_difference
print(first.label)
"""
    )
    told, first = printed.strip().split("\n")
    index, at_a, at_b, cosine = re.match(r"(\[.*\]) (\S+) (\S+) (\S+)", told).groups()  # type: ignore[union-attr]  # it has this form
    assert first == "features"
    expect(difference(widget, f"at {index}")).to_have_text(f"A {at_a} · B {at_b}".replace("-", "−"))
    expect(difference(widget, "cosine similarity")).to_have_text(cosine)


def test_two_nodes_are_compared_and_swapped_and_the_comparison_ends(notebook: NotebookPage) -> None:
    notebook.run(NET + "x = torch.randn(16, 4)")
    notebook.run(WATCH + " --every 1")
    notebook.run(RUN)
    widget = WidgetView(notebook, cell=1)
    widget.select("module:features.0")
    pin(widget)

    widget.select("module:features.1")

    sides = bar(widget).locator(".hv-compare-place")
    expect(sides).to_have_text(["features.0 · output · step 1", "features.1 · output · step 1"])
    expect(difference(widget, "relative difference")).to_have_text(re.compile(r"^0\.\d+$"))
    bar(widget).get_by_role("button", name="Swap A and B").click()
    expect(sides).to_have_text(["features.1 · output · step 1", "features.0 · output · step 1"])
    expect(widget.card("module:features.0")).to_have_class(re.compile(r"\bhv-selected\b"))

    bar(widget).get_by_role("button", name="End").click()
    expect(bar(widget)).to_be_hidden()
    expect(comparison(widget)).to_be_hidden()
    expect(widget.statistic("shape")).to_have_text("16 × 8")


def test_two_steps_are_compared_while_one_is_held(notebook: NotebookPage) -> None:
    notebook.run(NET + "x = torch.ones(16, 4)")
    notebook.run(WATCH + " --every 1")
    notebook.run("for step in range(1, 5):\n    model(step * x)")
    widget = WidgetView(notebook, cell=1)
    widget.select("module:features.0")
    pin(widget)

    widget.root.get_by_role("slider", name="Captured step").press("Home")

    sides = bar(widget).locator(".hv-compare-place")
    expect(sides).to_have_text(["features.0 · output · step 4", "features.0 · output · step 1"])
    expect(difference(widget, "values that differ")).to_contain_text("of 128")
    assert violations(widget.root) == []


def test_what_cannot_be_compared_value_by_value_says_why(notebook: NotebookPage) -> None:
    notebook.run(NET + "x = torch.rand(16, 4)")
    notebook.run(WATCH + " --every 1")
    notebook.run(RUN)
    widget = WidgetView(notebook, cell=1)
    widget.select("module:features.0")
    pin(widget)

    widget.select("module:head")

    expect(comparison(widget)).to_contain_text("Not compared value by value: the shapes differ, 16×8 and 16×3.")
    expect(comparison(widget).get_by_role("row").filter(has_text="shape")).to_contain_text("16 × 3")
