"""From ``%load_ext hookviz`` to a switch that stays off: what a newcomer does, in JupyterLab."""

from playwright.sync_api import expect

from tests.browser.cells import NET, RUN, SESSION, WATCH
from tests.browser.notebook_page import NotebookPage
from tests.browser.widget_view import BLANK, GRADIENT, VALUE, WidgetView

MODULES = ["features.0", "features.1", "head"]


def watched(notebook: NotebookPage) -> WidgetView:
    """The widget of a small network, in the second cell; the third one gives the session."""
    notebook.run(NET)
    notebook.run(WATCH)
    assert notebook.run(SESSION) == ""
    return WidgetView(notebook, cell=1)


def test_structure_shows_before_any_run(notebook: NotebookPage) -> None:
    widget = watched(notebook)

    expect(widget.status).to_contain_text("waiting for the first run")
    for path in MODULES:
        expect(widget.slot(f"module:{path}", "name")).to_have_text(path.rpartition(".")[2])
        expect(widget.slot(f"module:{path}", "value")).to_have_text(BLANK)


def test_values_appear_when_the_model_runs_and_change_with_the_next_run(notebook: NotebookPage) -> None:
    widget = watched(notebook)

    notebook.run(RUN)

    for path in MODULES:
        expect(widget.slot(f"module:{path}", "value")).to_have_text(VALUE)
    first = widget.slot("module:head", "value").text_content() or ""
    mean = notebook.run("print(f'{output.mean().item():+.2e}')").strip()
    assert first.startswith(mean)

    # Whatever the first runs cost: the first one of a cell is captured.
    notebook.run("for _ in range(200): model(torch.rand(16, 4))")
    notebook.run("output = model(100 * torch.rand(16, 4))")

    expect(widget.slot("module:head", "value")).not_to_have_text(first)
    mean = notebook.run("print(f'{output.mean().item():+.2e}')").strip()
    expect(widget.slot("module:head", "value")).to_contain_text(mean)


def test_gradients_appear_after_backward(notebook: NotebookPage) -> None:
    widget = watched(notebook)
    notebook.run(RUN)
    expect(widget.slot("module:head", "value")).to_have_text(VALUE)
    assert not GRADIENT.match(widget.slot("module:head", "gradient").text_content() or "")

    notebook.run("output.sum().backward()")

    for path in MODULES:
        expect(widget.slot(f"module:{path}", "gradient")).to_have_text(GRADIENT)
    # Of a sum, the gradient of each of the 16 x 3 outputs is 1.
    expect(widget.slot("module:head", "gradient")).to_contain_text("6.93e+00")


def test_click_shows_statistics_and_histogram_of_what_flowed(notebook: NotebookPage) -> None:
    widget = watched(notebook)
    notebook.run(RUN + "; output.sum().backward()")
    expect(widget.slot("module:head", "gradient")).to_have_text(GRADIENT)

    widget.select("module:head")

    expect(widget.statistic("shape")).to_have_text("16 × 3")
    expect(widget.histogram).to_be_visible()
    expect(widget.inspector.get_by_role("img", name="Heat map of 16 by 3 values")).to_be_visible()
    widget.tab("Gradient").click()
    expect(widget.statistic("min · max")).to_have_text("1 · 1")
    widget.tab("Params").click()
    expect(widget.inspector.get_by_role("button", name="weight").first).to_be_visible()


def test_click_is_answered_while_a_cell_runs(notebook: NotebookPage) -> None:
    widget = watched(notebook)
    notebook.run(RUN)

    notebook.start_loop("model(torch.rand(16, 4))")
    widget.select("module:head")

    expect(widget.statistic("shape")).to_have_text("16 × 3")
    assert notebook.end_loop() == ""


def test_module_switched_off_stays_off_in_the_next_run(notebook: NotebookPage) -> None:
    widget = watched(notebook)
    notebook.run(RUN)
    widget.select("module:head")

    widget.switch("outputs", "head").click()

    expect(widget.switch("outputs", "head")).to_have_attribute("aria-checked", "false")
    assert notebook.run("session.is_enabled('outputs', 'head'), session.is_enabled('outputs', 'features.0')") == (
        "(False, True)"
    )
    notebook.run(RUN)
    expect(widget.card("module:head")).to_have_attribute("data-state", "off")
    expect(widget.slot("module:head", "value")).to_have_text(BLANK)
    expect(widget.slot("module:features.0", "value")).to_have_text(VALUE)
    assert notebook.run("session['head'].output").startswith("NotCapturedError: ")


def test_module_switched_on_again_is_captured_in_the_next_run(notebook: NotebookPage) -> None:
    widget = watched(notebook)
    notebook.run("session.disable('outputs', 'head')")
    notebook.run(RUN)
    expect(widget.card("module:head")).to_have_attribute("data-state", "off")
    widget.select("module:head")

    widget.switch("outputs", "head").click()

    expect(widget.switch("outputs", "head")).to_have_attribute("aria-checked", "true")
    notebook.run(RUN)
    expect(widget.card("module:head")).to_have_attribute("data-state", "captured")
    expect(widget.slot("module:head", "value")).to_have_text(VALUE)
    assert notebook.run("session['head'].output.summary.shape") == "(16, 3)"


def test_gradients_switched_off_for_every_module_are_not_captured(notebook: NotebookPage) -> None:
    widget = watched(notebook)

    widget.switch("gradients").click()

    expect(widget.switch("gradients")).to_have_attribute("aria-checked", "false")
    notebook.run(RUN + "; output.sum().backward()")
    expect(widget.slot("module:head", "value")).to_have_text(VALUE)
    assert notebook.run("session.is_enabled('gradients')") == "False"
    assert notebook.run("session['head'].grad_output").startswith("NotCapturedError: ")
    for path in MODULES:
        assert not GRADIENT.match(widget.slot(f"module:{path}", "gradient").text_content() or "")


def test_folded_container_stands_for_its_modules(notebook: NotebookPage) -> None:
    widget = watched(notebook)
    notebook.run(RUN)
    expect(widget.card("module:features.0")).to_be_visible()

    widget.card("module:features").locator(".hv-fold").first.click()

    expect(widget.card("module:features.0")).to_have_count(0)
    expect(widget.slot("module:features", "value")).to_have_text(VALUE)


def test_reload_brings_the_widget_back_with_its_values(notebook: NotebookPage) -> None:
    widget = watched(notebook)
    notebook.run(RUN)
    widget.select("module:head")
    expect(widget.statistic("shape")).to_have_text("16 × 3")
    value = widget.slot("module:head", "value").text_content() or ""
    notebook.save()

    notebook.reload()

    expect(widget.slot("module:head", "value")).to_have_text(value)
    expect(widget.statistic("shape")).to_have_text("16 × 3")
    notebook.run("output = model(100 * torch.rand(16, 4))")
    expect(widget.slot("module:head", "value")).not_to_have_text(value)


def test_names_of_modules_are_text_whatever_they_are(notebook: NotebookPage) -> None:
    notebook.run(
        "import torch\nfrom torch import nn\nmodel = nn.Sequential()\n"
        "model.add_module('<img src=x onerror=alert(1)>', nn.Linear(2, 2))\n"
        "model.add_module('\"]]>&amp; 한국어 🔥', nn.ReLU())"
    )
    dialogs: list[str] = []
    notebook.page.on("dialog", lambda dialog: dialogs.append(dialog.message))

    notebook.run(WATCH)
    notebook.run("model(torch.rand(3, 2))")
    widget = WidgetView(notebook, cell=1)

    expect(widget.root.locator("text[data-slot='name']", has_text="<img src=x onerror")).to_be_visible()
    expect(widget.root.locator("text[data-slot='name']", has_text='"]]>&amp; 한국어 🔥')).to_be_visible()
    assert widget.root.locator("img").count() == 0
    assert dialogs == []


def test_a_forward_that_raises_shows_where(notebook: NotebookPage) -> None:
    widget = watched(notebook)

    error = notebook.run("model(torch.rand(16, 5))")

    assert error.startswith("RuntimeError: ")
    expect(widget.card("module:features.0")).to_have_attribute("data-state", "failed")
    expect(widget.slot("module:features.0", "trouble")).to_contain_text("RuntimeError")


def test_closing_leaves_nothing_on_the_model_and_says_so(notebook: NotebookPage) -> None:
    widget = watched(notebook)
    notebook.run(RUN)

    assert notebook.run("%hookviz --off model") == ""

    expect(widget.status).to_contain_text("closed: the last state is shown")
    assert notebook.run("[name for m in model.modules() for name in vars(m) if name == '_compiled_call_impl']") == "[]"
