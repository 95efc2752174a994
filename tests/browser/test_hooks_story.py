"""Hooks in the picture and in the list: what a click on them does to the model's next run."""

from playwright.sync_api import expect

from tests.browser.cells import NET, RUN, SESSION, WATCH
from tests.browser.notebook_page import NotebookPage
from tests.browser.widget_view import WidgetView

HOOKS = """
calls = []

def record(module, args, output):
    calls.append("record")

def add_five(module, args, output):
    calls.append("add_five")
    return output + 5

def double(grad):
    return grad * 2

model.head.register_forward_hook(record)
model.head.register_forward_hook(add_five)
model.features[0].register_forward_pre_hook(lambda module, args: calls.append("pre"))
model.head.weight.register_hook(double);
"""


def hooked(notebook: NotebookPage) -> WidgetView:
    """The widget of a small network with four hooks, after one run."""
    notebook.run(NET + HOOKS)
    notebook.run(WATCH)
    notebook.run(SESSION)
    assert notebook.run(RUN + "; print(calls)") == "['pre', 'record', 'add_five']\n"
    return WidgetView(notebook, cell=1)


def test_a_click_on_a_pill_takes_its_hook_out_of_the_next_run_and_another_puts_it_back(
    notebook: NotebookPage,
) -> None:
    widget = hooked(notebook)
    expect(widget.pill("module:head", "add_five")).to_have_attribute("data-state", "on")

    widget.pill("module:head", "add_five").click()

    expect(widget.pill("module:head", "add_five").locator("text")).to_have_text("○ add_five")
    assert notebook.run("calls.clear(); " + RUN + "; print(calls)") == "['pre', 'record']\n"
    assert notebook.run("print('○ add_five' in session.svg())") == "True\n"
    assert notebook.run("print([hook.label for hook in session.hooks if not hook.enabled])") == "['add_five']\n"

    widget.pill("module:head", "add_five").click()

    expect(widget.pill("module:head", "add_five").locator("text")).to_have_text("● add_five")
    assert notebook.run("calls.clear(); " + RUN + "; print(calls)") == "['pre', 'record', 'add_five']\n"


def test_a_pill_is_switched_by_the_keyboard(notebook: NotebookPage) -> None:
    widget = hooked(notebook)
    widget.card("module:head").focus()

    notebook.page.keyboard.press("Tab")
    expect(widget.pill("module:head", "record")).to_be_focused()
    expect(widget.hover).to_contain_text("record on head")
    notebook.page.keyboard.press("Space")

    expect(widget.pill("module:head", "record").locator("text")).to_have_text("○ record")
    assert notebook.run("calls.clear(); " + RUN + "; print(calls)") == "['pre', 'add_five']\n"


def test_the_pointer_on_a_pill_tells_label_kind_source_and_what_the_hook_did(notebook: NotebookPage) -> None:
    widget = hooked(notebook)

    widget.pill("module:head", "add_five").hover()

    expect(widget.hover).to_contain_text("add_five on head")
    expect(widget.hover).to_contain_text("forward · In [1]:")
    widget.pill("module:head", "double").hover()
    expect(widget.hover).to_contain_text("no backward yet")


def test_a_switch_of_a_group_takes_all_hooks_of_its_owner(notebook: NotebookPage) -> None:
    widget = hooked(notebook)

    widget.hooks.get_by_role("checkbox", name="Yours").click()

    expect(widget.hooks.locator(".hv-hooks-heading")).to_contain_text("0 on · 4 off")
    assert notebook.run("calls.clear(); " + RUN + "; print(calls)") == "[]\n"
    widget.hook_switch("record on head").click()
    expect(widget.hooks.get_by_role("checkbox", name="Yours")).to_have_attribute("aria-checked", "mixed")
    assert notebook.run("calls.clear(); " + RUN + "; print(calls)") == "['record']\n"


def test_the_list_is_narrowed_by_text_kind_and_module(notebook: NotebookPage) -> None:
    widget = hooked(notebook)
    rows = widget.hooks.locator(".hv-hook")
    expect(rows).to_have_count(4)

    widget.hooks.get_by_role("searchbox").fill("head five")
    expect(rows).to_have_count(1)
    widget.hooks.get_by_role("searchbox").fill("")
    widget.hooks.get_by_label("Kind of hooks").select_option("tensor")
    expect(rows).to_contain_text(["double"])
    widget.hooks.get_by_label("Kind of hooks").select_option("")
    widget.select("module:features.0")
    widget.hooks.get_by_role("button", name="only features.0").click()
    expect(rows).to_have_count(1)


def test_a_click_on_a_line_selects_the_hooks_module(notebook: NotebookPage) -> None:
    widget = hooked(notebook)

    widget.hooks.get_by_role("button", name="add_five").click()

    expect(widget.card("module:head")).to_have_attribute("aria-current", "true")


def test_the_inspector_shows_what_each_hook_made_of_the_output(notebook: NotebookPage) -> None:
    widget = hooked(notebook)
    widget.select("module:head")

    widget.tab("Hooks").click()

    steps = widget.inspector.locator(".hv-step")
    expect(steps).to_have_count(3)
    expect(steps.nth(0)).to_contain_text("observed")
    expect(steps.nth(1)).to_contain_text("changed it")
    expect(steps.nth(1)).to_contain_text("mean changed by +5")
    expect(steps.nth(2)).to_contain_text("no backward yet")


def test_an_intervention_from_the_form_changes_the_next_run_until_it_is_removed(notebook: NotebookPage) -> None:
    widget = hooked(notebook)
    widget.select("module:head")
    widget.tab("Hooks").click()

    widget.inspector.get_by_role("button", name="+ Intervene on head").click()
    widget.inspector.get_by_label("Intervention").select_option("scale")
    widget.inspector.get_by_label("by", exact=True).fill("0")
    widget.inspector.get_by_label("Slice").fill("[:, 0]")
    widget.inspector.get_by_role("button", name="Apply").click()

    expect(widget.hooks.get_by_text("Written here")).to_be_visible()
    assert notebook.run(RUN + "; print((output[:, 0] == 0).all().item(), (output[:, 1] == 0).any().item())") == (
        "True False\n"
    )
    widget.hooks.get_by_role("button", name="Remove").click()
    expect(widget.hooks.get_by_text("Written here")).to_have_count(0)
    assert notebook.run(RUN + "; print((output[:, 0] == 0).any().item())") == "False\n"


def test_a_form_that_cannot_be_carried_out_says_so_in_place(notebook: NotebookPage) -> None:
    widget = hooked(notebook)
    widget.select("module:head")
    widget.tab("Hooks").click()
    widget.inspector.get_by_role("button", name="+ Intervene on head").click()

    widget.inspector.get_by_label("Slice").fill("[:, oops]")
    widget.inspector.get_by_role("button", name="Apply").click()

    expect(widget.inspector.get_by_role("alert")).to_contain_text("oops")


def test_a_pill_is_switched_while_a_cell_runs_and_acts_between_two_runs(notebook: NotebookPage) -> None:
    widget = hooked(notebook)

    notebook.start_loop("model(torch.rand(16, 4))")
    widget.pill("module:head", "add_five").click()

    expect(widget.pill("module:head", "add_five").locator("text")).to_have_text("○ add_five")
    expect(widget.pill("module:head", "add_five")).not_to_have_attribute("data-pending", "")
    assert notebook.end_loop() == ""
    assert notebook.run("print(calls[-2:], calls.count('record') > calls.count('add_five') > 1)") == (
        "['pre', 'record'] True\n"
    )


def test_the_list_of_hooks_stands_alone_as_well(notebook: NotebookPage) -> None:
    hooked(notebook)
    notebook.run("from hookviz.widget import HooksWidget\nHooksWidget(session)")
    alone = WidgetView(notebook, cell=-1)

    alone.hook_switch("add_five on head").click()

    expect(alone.hook_switch("add_five on head")).to_have_attribute("aria-checked", "false")
    expect(WidgetView(notebook, cell=1).pill("module:head", "add_five").locator("text")).to_have_text("○ add_five")
    assert notebook.run("calls.clear(); " + RUN + "; print(calls)") == "['pre', 'record']\n"


def test_a_protected_hook_stays_on_and_says_why(notebook: NotebookPage) -> None:
    notebook.run(NET + "from torch.nn.utils import spectral_norm\nspectral_norm(model.head)")
    notebook.run(WATCH)
    notebook.run(SESSION)
    widget = WidgetView(notebook, cell=1)
    pill = widget.pill("module:head", "SpectralNorm")

    # A locked switch is marked as disabled, for which Playwright would wait.
    pill.click(force=True)

    expect(widget.hover).to_contain_text("Locked: it computes")
    expect(widget.status).to_contain_text("SpectralNorm.__call__ stays on: it computes")
    expect(pill).to_have_attribute("data-state", "on")
    assert notebook.run("print(all(hook.enabled for hook in session.hooks))") == "True\n"


def test_a_value_of_an_earlier_run_is_put_in_the_place_of_a_later_one(notebook: NotebookPage) -> None:
    widget = hooked(notebook)
    widget.select("module:features.1")
    widget.tab("Hooks").click()
    widget.inspector.get_by_role("button", name="+ Intervene on features.1").click()
    widget.inspector.get_by_label("Intervention").select_option("replace")
    widget.inspector.get_by_role("button", name="Apply").click()
    expect(widget.hooks.get_by_text("Written here")).to_be_visible()

    assert notebook.run("first = output; " + RUN + "; print(torch.equal(output, first))") == "True\n"


def test_a_click_on_a_line_unfolds_to_its_module(notebook: NotebookPage) -> None:
    widget = hooked(notebook)
    widget.root.get_by_label("Unfold one level less").click()
    expect(widget.card("module:features.0")).to_have_count(0)

    widget.hooks.locator(".hv-hook").filter(has_text="features.0").locator(".hv-hook-words").click()

    expect(widget.card("module:features.0")).to_have_attribute("aria-current", "true")
