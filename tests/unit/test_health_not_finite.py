"""Of a NaN the first module and the first step are told, and the way that it takes through the picture."""

import math
from typing import Any

import torch
from torch import nn

from hookviz.graph.origin import origin_of
from hookviz.health.way import way_of
from hookviz.session import watch
from tests.models import fc, row, wired
from tests.training import only, symptoms


class Switchable(nn.Module):
    """Gives a value of its own in the place of what comes, once it is on."""

    value: float | None = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x if self.value is None else torch.full_like(x, self.value)


def test_the_first_step_and_the_one_before_it_are_told() -> None:
    root = Switchable()
    model = nn.Sequential(fc(), root, fc())
    session = watch(model, every=2)
    for step in range(1, 8):
        root.value = math.nan if step > 3 else None
        model(row())

    finding = only(session)

    assert (finding.symptom, finding.path, finding.step) == ("NaN", "1", 5)
    assert finding.sentence == (
        "NaN made in 1 (Switchable), step 5: 4 NaN of 4 values; all was finite in step 3, the last one captured before."
    )
    assert finding.numbers == {"nans": 4, "infs": 0, "elements": 4}


def test_where_it_began_is_remembered_when_all_is_spoilt() -> None:
    root = Switchable()
    model = nn.Sequential(fc(), root, fc())
    session = watch(model, every=1)
    model(row())
    root.value = math.nan
    model(row())
    with torch.no_grad():
        model[0].weight.fill_(math.nan)  # type: ignore[operator]  # nn.Sequential does not tell the class

    model(row())

    finding = only(session)
    assert (finding.path, finding.step) == ("1", 2)
    assert finding.sentence == "NaN made in 1 (Switchable), step 2: 4 NaN of 4 values; all was finite in step 1."


def test_of_a_parameter_its_own_values_are_counted() -> None:
    model = nn.Sequential(nn.Linear(4, 3))
    with torch.no_grad():
        model[0].weight[0, 0] = math.nan  # type: ignore[operator]  # nn.Sequential does not tell the class
    session = watch(model)

    model(torch.ones(8, 4))

    finding = only(session)
    assert finding.sentence == "NaN in the parameter 0.weight, step 1: 1 NaN of 12 values."
    assert finding.numbers == {"nans": 1, "infs": 0, "elements": 12}


def test_of_what_came_before_a_module_it_is_told_where_it_was_counted() -> None:
    model = nn.Sequential(nn.Linear(4, 3))
    session = watch(model)

    model(torch.tensor([[math.nan, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]]))

    assert only(session).sentence.startswith("NaN in the model's input")
    assert ", step 1: 3 NaN of 6 values in the output of 0 (Linear)" in only(session).sentence


def test_what_a_nan_was_made_of_is_told_with_it() -> None:
    model = wired(lambda m, x: m.c(torch.log(m.l(x))), l=nn.ReLU(), c=nn.Linear(4, 1))
    nn.init.constant_(model.c.weight, 0.0)
    session = watch(model)

    model(torch.tensor([[1.0, -1.0, 2.0, -3.0]]))

    assert only(session).sentence == (
        "NaN made in c (Linear) out of Inf in its input, which was made by log between l (ReLU) and c (Linear), "
        "step 1: 1 NaN of 1 values."
    )


def test_it_is_told_no_more_once_all_is_finite_again() -> None:
    root = Switchable()
    model = nn.Sequential(root)
    session = watch(model, every=1)
    root.value = math.nan
    model(row())

    root.value = None
    model(row())

    assert symptoms(session) == []


def test_a_mask_of_negative_infinities_is_no_alarm() -> None:
    mask = Switchable()
    model = wired(lambda model, x: (x + model.mask(x).exp()).softmax(-1) + model.out(x), mask=mask, out=fc())
    mask.value = -math.inf
    session = watch(model)

    model(row())

    assert symptoms(session) == []


def test_an_infinity_that_overflowed_is_one() -> None:
    root = Switchable()
    root.value = math.inf
    model = nn.Sequential(root)
    session = watch(model)

    model(row())

    assert symptoms(session) == [("Inf", "0")]


def test_a_gradient_that_is_not_finite_is_told() -> None:
    model = nn.Sequential(fc(), fc())
    session = watch(model)

    (model(row()) * math.nan).sum().backward()

    finding = only(session)
    assert (finding.symptom, finding.path) == ("NaN", "1")
    assert finding.sentence.startswith("NaN gradient came in at the model's output: its loss made it, step 1")


def test_the_way_of_a_nan_leads_from_its_module_to_the_output() -> None:
    def wiring(model: Any, x: torch.Tensor) -> Any:
        good = model.good(x)
        return model.last(model.root(good) + good), model.other(good)

    root = Switchable()
    root.value = math.nan
    model = wired(wiring, good=fc(), root=root, last=fc(), other=fc())
    session = watch(model)
    model(row())
    assert session.run is not None
    origin = origin_of(session.run)
    assert origin is not None

    way = way_of(origin, session.run, session.graph())

    assert way.nodes == {"module:root", "op::add:0", "module:last", "output"}
    assert way.edges == {"module:root->op::add:0", "op::add:0->module:last", "module:last->output"}


def test_the_way_begins_at_the_folded_container_that_holds_its_module() -> None:
    root = Switchable()
    root.value = math.nan
    model = nn.Sequential(nn.Sequential(fc(), root), fc())
    session = watch(model)
    model(row())
    assert session.run is not None
    origin = origin_of(session.run)
    assert origin is not None

    way = way_of(origin, session.run, session.graph(depth=0))

    assert "output" in way.nodes
    assert any(node.startswith("module:") for node in way.nodes)


def test_a_side_way_that_does_not_reach_the_output_is_left_out() -> None:
    def wiring(model: Any, x: torch.Tensor) -> Any:
        spoilt = model.root(x)
        model.aside(spoilt)
        return model.last(spoilt)

    root = Switchable()
    root.value = math.nan
    model = wired(wiring, root=root, aside=fc(), last=fc())
    session = watch(model)
    model(row())
    assert session.run is not None
    origin = origin_of(session.run)
    assert origin is not None

    way = way_of(origin, session.run, session.graph())

    assert "module:aside" not in way.nodes
