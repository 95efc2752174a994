"""Going back through the captured steps of a training, while it runs and after it."""

import re

from playwright.sync_api import Locator, expect

from tests.browser.cells import NET, SESSION, WATCH
from tests.browser.notebook_page import NotebookPage
from tests.browser.widget_view import VALUE, WidgetView

TRAIN = """
for step in range(1, 6):
    model(torch.full((16, 4), float(step))).pow(2).mean().backward()
"""

BRANCHES = """
class Either(nn.Module):
    def __init__(self):
        super().__init__()
        self.small, self.large = nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x):
        return self.large(x) if x.sum() > 8 else self.small(x)

model = Either()
"""


def bar(widget: WidgetView) -> Locator:
    return widget.root.get_by_role("group", name="Captured steps")


def wait_for_a_newer_step(widget: WidgetView) -> None:
    newest = re.search(r"newest (\d+)", bar(widget).text_content() or "")
    assert newest is not None
    expect(bar(widget)).not_to_contain_text(f"newest {newest[1]}")


def test_a_past_step_is_shown_in_picture_and_inspector_until_one_goes_on(notebook: NotebookPage) -> None:
    notebook.run(NET)
    notebook.run(WATCH + " --every 1")
    notebook.run(TRAIN)
    widget = WidgetView(notebook, cell=1)
    widget.select("module:head")
    expect(bar(widget)).to_contain_text("following the newest: step 5")
    shown = widget.slot("module:head", "value")
    mean = notebook.run(SESSION + "\nprint(session['head'].output.summary.mean)")
    expect(shown).to_contain_text(f"{float(mean):+.2e}")
    newest = shown.text_content() or ""

    slider = bar(widget).get_by_role("slider", name="Captured step")
    slider.press("Home")

    expect(bar(widget)).to_contain_text("step 1 of 1 … 5, held; newest 5")
    expect(slider).to_have_attribute("aria-valuetext", "step 1 of 1 … 5, held; newest 5")
    expect(widget.status).to_contain_text("step 1 held")
    expect(widget.inspector).to_contain_text("step 1")
    printed = notebook.run("print(session.at_step(1)['head'].output.summary.mean)")
    expect(shown).not_to_have_text(newest)
    expect(shown).to_have_text(re.compile(re.escape(f"{float(printed):+.2e}")))

    notebook.page.keyboard.press("Escape")
    notebook.run(TRAIN)
    expect(bar(widget)).to_contain_text("step 1 of 1 … 10, held; newest 10")
    expect(shown).to_have_text(re.compile(re.escape(f"{float(printed):+.2e}")))

    bar(widget).get_by_role("button", name="Back to live").click()
    expect(bar(widget)).to_contain_text("following the newest: step 10")
    expect(shown).to_have_text(newest)


def test_keys_go_from_step_to_step_and_back_to_live(notebook: NotebookPage) -> None:
    notebook.run(NET)
    notebook.run(WATCH + " --every 1")
    notebook.run(TRAIN)
    widget = WidgetView(notebook, cell=1)
    widget.select("module:head")
    keyboard = notebook.page.keyboard

    keyboard.press("[")
    expect(bar(widget)).to_contain_text("step 4 of")
    keyboard.press("[")
    expect(bar(widget)).to_contain_text("step 3 of")
    keyboard.press("]")
    expect(bar(widget)).to_contain_text("step 4 of")
    keyboard.press("l")

    expect(bar(widget)).to_contain_text("following the newest: step 5")


def test_a_run_of_a_part_alone_says_so_and_leads_back_to_the_last_whole_one(notebook: NotebookPage) -> None:
    notebook.run(NET)
    notebook.run(WATCH + " --every 1")
    notebook.run("output = model(torch.rand(16, 4))")
    widget = WidgetView(notebook, cell=1)
    expect(widget.slot("module:head", "value")).to_have_text(VALUE)
    whole = widget.slot("module:head", "value").text_content() or ""
    notebook.run("output = model.features(torch.rand(16, 4))")
    expect(widget.status).to_contain_text("step 2, of features alone")
    expect(widget.card("module:head")).to_contain_text("not called: run 2 was of")

    bar(widget).get_by_role("button", name="Last whole run: step 1").click()

    expect(widget.slot("module:head", "value")).to_have_text(whole)
    bar(widget).get_by_role("button", name="Back to live").click()
    expect(bar(widget)).to_contain_text("following the newest: step 2, of features alone")


def test_a_step_that_took_another_way_is_drawn_as_it_was(notebook: NotebookPage) -> None:
    notebook.run(NET + BRANCHES)
    notebook.run(WATCH + " --every 1")
    notebook.run("for factor in (1, 1, 3, 3):\n    model(factor * torch.ones(1, 4))")
    widget = WidgetView(notebook, cell=1)
    expect(widget.card("module:large")).to_have_count(1)
    expect(widget.card("module:small")).to_have_count(0)

    bar(widget).get_by_role("slider").press("Home")

    expect(widget.card("module:small")).to_have_count(1)
    expect(widget.card("module:large")).to_have_count(0)
    bar(widget).get_by_role("slider").press("End")
    expect(widget.card("module:large")).to_have_count(1)


def test_what_a_past_step_no_longer_has_is_said_in_words(notebook: NotebookPage) -> None:
    notebook.run(NET)
    notebook.run("%load_ext hookviz\n%hookviz model --every 1 --keep 2kB")
    notebook.run(TRAIN)
    widget = WidgetView(notebook, cell=1)
    widget.select("module:features.0")

    bar(widget).get_by_role("slider").press("Home")

    expect(widget.statistic("shape")).to_have_text("16 × 8")
    values = widget.inspector.get_by_role("region", name="Values")
    expect(values).to_contain_text("no longer kept: the oldest steps lose their tensors first")
    widget.tab("Params").click()
    expect(widget.inspector).to_contain_text("what parameters were in past steps is not remembered")


def test_a_step_can_be_held_while_the_cell_runs(notebook: NotebookPage) -> None:
    notebook.run(NET)
    notebook.run(WATCH + " --every 1")
    widget = WidgetView(notebook, cell=1)
    notebook.start_loop("model(torch.rand(16, 4)).sum().backward()")
    expect(bar(widget)).to_contain_text(re.compile(r"following the newest: step \d\d+"))

    bar(widget).get_by_role("button", name="Previous captured step").click()

    expect(bar(widget)).to_contain_text(re.compile(r"held; newest \d+"))
    held = re.search(r"step (\d+) of", bar(widget).text_content() or "")
    assert held is not None
    # With the newer one the values of the held one have come, too.
    wait_for_a_newer_step(widget)
    shown = widget.slot("module:head", "value").text_content() or ""
    wait_for_a_newer_step(widget)
    expect(bar(widget)).to_contain_text(f"step {held[1]} of")
    assert widget.slot("module:head", "value").text_content() == shown
    bar(widget).get_by_role("button", name="Back to live").click()
    expect(bar(widget)).to_contain_text("following the newest")
    notebook.end_loop()


def test_a_tensor_that_was_not_kept_is_asked_for_from_the_next_run(notebook: NotebookPage) -> None:
    notebook.run(NET)
    notebook.run("%load_ext hookviz\n%hookviz model --every 1 --keep 1kB")
    notebook.run("output = model(torch.rand(16, 4))")
    widget = WidgetView(notebook, cell=1)
    widget.select("module:features.0")
    values = widget.inspector.get_by_role("region", name="Values")
    expect(values).to_contain_text("not kept")

    widget.inspector.get_by_role("button", name="Keep this tensor from the next run").click()

    expect(widget.inspector).to_contain_text(
        "From the next captured run on, the tensors of features.0 are kept before all others, 512 bytes for this one"
    )
    assert notebook.run(SESSION + "\nprint(session.kept_first)") == "('features.0',)\n"
    notebook.run("output = model(torch.rand(16, 4))")
    expect(values.locator(".hv-heat")).to_be_visible()
    assert notebook.run("print(session['features.0'].output.is_kept)") == "True\n"
