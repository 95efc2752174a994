"""What users set the traits of the widgets to, and what all views of the session make of it."""

from collections.abc import Iterator

import ipywidgets
import pytest
import torch
import traitlets
from torch import nn

from hookviz.errors import OptionError
from hookviz.session import Session, watch
from hookviz.widget.drawing import MAX_NODES
from hookviz.widget.widget import DiagramWidget, HooksWidget, HookViz, InspectorWidget

pytestmark = pytest.mark.usefixtures("bundle")


@pytest.fixture
def model() -> nn.Sequential:
    inner = nn.Sequential(nn.Linear(3, 3), nn.Sequential(nn.ReLU(), nn.Tanh()))
    return nn.Sequential(nn.Linear(2, 3), inner)


@pytest.fixture
def diagram(session: Session) -> Iterator[DiagramWidget]:
    widget = DiagramWidget(session)
    yield widget
    widget.close()


@pytest.fixture
def inspector(session: Session) -> Iterator[InspectorWidget]:
    widget = InspectorWidget(session)
    yield widget
    widget.close()


def test_a_selection_by_path_or_id_is_shared_by_all_views(diagram: DiagramWidget, inspector: InspectorWidget) -> None:
    diagram.selected = "1.1.0"
    by_path = inspector.selected
    inspector.selected = "module:0"

    assert (by_path, diagram.selected) == ("module:1.1.0", "module:0")


def test_what_is_selected_can_be_observed(diagram: DiagramWidget, inspector: InspectorWidget) -> None:
    seen: list[str] = []
    diagram.observe(lambda change: seen.append(change["new"]), "selected")

    inspector.set_state({"selected": "module:0"})
    inspector.selected = ""

    assert seen == ["module:0", ""]


def test_operations_and_inputs_are_selected_by_their_ids(model: nn.Sequential, diagram: DiagramWidget) -> None:
    model(torch.ones(1, 2))
    diagram._presentation.refresh()
    (entry,) = [node["id"] for node in diagram.graph["nodes"] if node["kind"] == "input"]

    diagram.selected = entry

    assert diagram.selected == entry


def test_containers_are_unfolded_with_those_around_them(diagram: DiagramWidget, inspector: InspectorWidget) -> None:
    diagram.expanded = []
    folded = [node["id"] for node in diagram.graph["nodes"]]
    inspector.expanded = ["1.1"]

    assert folded == ["module:0", "module:1"]
    assert diagram.expanded == inspector.expanded == ["1", "1.1"]
    assert {group["id"] for group in diagram.graph["groups"]} == {"module:1", "module:1.1"}


def test_what_cannot_be_unfolded_does_not_stay_in_the_list(diagram: DiagramWidget) -> None:
    diagram.expanded = ["0", "1"]

    assert diagram.expanded == ["1"]


def test_colours_are_shared_by_all_views_and_taken_off_by_none(
    model: nn.Sequential, diagram: DiagramWidget, session: Session
) -> None:
    whole = HookViz(session)
    diagram.colour_by = "parameters"
    by_parameters = whole.colour_by, whole.colours["marks"]["module:0"]["text"]
    whole.colour_by = None

    assert by_parameters == ("parameters", "9")
    assert (diagram.colour_by, diagram.colours["marks"]) == ("", {})
    whole.close()


def test_colours_follow_the_runs_without_a_new_layout(model: nn.Sequential, diagram: DiagramWidget) -> None:
    model(torch.ones(1, 2))
    diagram._presentation.refresh()
    diagram.colour_by = "scale"
    svg, before = diagram.svg, diagram.colours["marks"]["module:0"]

    model(torch.ones(1, 2) * 1e6)
    diagram._presentation.refresh()

    assert diagram.colours["marks"]["module:0"] != before
    assert diagram.svg is svg


@pytest.mark.parametrize(
    ("trait", "value", "message"),
    [
        ("selected", "1.1.O", "There is nothing '1.1.O' to select: Sequential has no module or parameter at '1.1.O'."),
        ("selected", "module:2", "There is nothing 'module:2' to select: Sequential has no module"),
        ("selected", "0.weight", "There is nothing '0.weight' to select: '0.weight' is a parameter, not a module."),
        ("expanded", ["1", "9"], "There is nothing '9' to unfold: Sequential has no module or parameter at '9'."),
        ("colour_by", "speed", "Cards are not coloured by 'speed'. There are 'scale', 'gradient', 'zeros', 'time'"),
    ],
)
def test_a_wrong_choice_is_refused_with_what_there_is(
    diagram: DiagramWidget, inspector: InspectorWidget, trait: str, value: object, message: str
) -> None:
    before = [getattr(widget, trait) for widget in (diagram, inspector)]

    with pytest.raises(OptionError) as raised:
        setattr(diagram, trait, value)

    assert str(raised.value).startswith(message)
    assert isinstance(raised.value, traitlets.TraitError)
    assert [getattr(widget, trait) for widget in (diagram, inspector)] == before


def test_what_is_too_much_for_one_picture_is_refused_by_all_views() -> None:
    many = nn.Sequential(*(nn.Linear(1, 1 + number % 2) for number in range(MAX_NODES + 1)))
    model = nn.Sequential(many)
    with watch(model) as session:
        diagram, inspector = DiagramWidget(session), InspectorWidget(session)
        diagram.expanded = []

        with pytest.raises(Exception, match="more than 1,500"):
            diagram.expanded = ["0"]

        assert diagram.expanded == inspector.expanded == []
        diagram.close()
        inspector.close()


def test_what_the_browser_says_of_an_older_picture_is_not_refused(
    diagram: DiagramWidget, inspector: InspectorWidget
) -> None:
    diagram.set_state({"selected": "op:1:relu:7"})

    assert inspector.selected == "op:1:relu:7"


def test_the_widgets_lie_in_any_boxes_and_share_what_is_chosen(session: Session) -> None:
    diagram, inspector, hooks = DiagramWidget(session), InspectorWidget(session), HooksWidget(session)
    tabs = ipywidgets.Tab([ipywidgets.HBox([diagram, inspector]), ipywidgets.VBox([hooks])])

    diagram.selected = "0"

    assert tabs.children[0].children == (diagram, inspector)
    assert [widget.selected for widget in (diagram, inspector, hooks)] == ["module:0"] * 3
    tabs.close()
    for widget in (diagram, inspector, hooks):
        widget.close()
