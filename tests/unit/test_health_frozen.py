"""Parameters that do not move while others do are found, with the reason."""

import torch
from torch import nn

from hookviz.session import Session, watch
from tests.models import fc, wired
from tests.training import noise, only, symptoms, trained


def test_a_parameter_that_no_gradient_reaches_is_found() -> None:
    torch.manual_seed(0)
    model = wired(lambda model, x: model.last(model.first(x).detach()), first=fc(), last=fc())

    finding = only(trained(model, noise(16, 4)))

    assert (finding.symptom, finding.path, finding.module, finding.step) == ("frozen", "first.weight", "first", 1)
    assert finding.sentence == (
        "first.weight and first.bias stay as they are: unchanged after the last 5 steps of training that were looked "
        "at, in which others moved. No gradient arrives there: it is not used on the way to the loss, or detached."
    )


def test_a_module_that_is_not_called_is_told_so() -> None:
    torch.manual_seed(0)
    model = wired(lambda model, x: model.used(x), used=fc(), unused=fc())

    finding = only(trained(model, noise(16, 4)))

    assert finding.path == "unused.weight"
    assert finding.sentence.endswith("No gradient arrives there: the module is not called.")


def test_a_parameter_that_the_optimiser_does_not_have_is_told_so() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(fc(), fc())

    finding = only(trained(model, noise(16, 4), parameters=list(model[1].parameters())))

    assert finding.path == "0.weight"
    assert (
        "A gradient arrives there, but nothing is written: the optimiser probably does not have it." in finding.sentence
    )


def test_gradients_that_are_cleared_after_each_step_are_no_reason_to_worry() -> None:
    torch.manual_seed(0)
    model = fc()
    session = watch(model, every=1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(5):
        model(noise(16, 4)()).square().mean().backward()
        optimizer.step()
        optimizer.zero_grad()

    assert symptoms(session) == []


def test_a_model_that_is_not_trained_is_not_frozen() -> None:
    model = fc()
    session = watch(model, every=1)

    for _ in range(5):
        model(noise(16, 4)()).sum().backward()

    assert symptoms(session) == []


def never_moved(model: nn.Module, runs: int, *, clears: bool = True) -> Session:
    """A session of the model, which is asked for gradients only."""
    session = watch(model, every=1)
    for _ in range(runs):
        model.zero_grad() if clears else None
        model(noise(16, 4)()).square().mean().backward()
    return session


def test_a_training_whose_optimiser_never_steps_is_found() -> None:
    model = fc()

    finding = only(never_moved(model, 25))

    assert (finding.symptom, finding.path, finding.step, finding.numbers) == ("frozen", "", 1, {"steps": 25})
    assert finding.sentence == (
        "No parameter moved in 25 captured runs with a backward, since step 1: optimizer.step() was not called, "
        "or the learning rate is 0."
    )


def test_a_training_with_a_learning_rate_of_zero_is_found() -> None:
    model = fc()
    session = watch(model, every=1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
    for _ in range(25):
        optimizer.zero_grad()
        model(noise(16, 4)()).square().mean().backward()
        optimizer.step()

    assert only(session).sentence.startswith("No parameter moved in 25 captured runs")


def test_gradients_that_are_gathered_over_several_runs_are_no_reason_to_worry() -> None:
    model = fc()

    assert symptoms(never_moved(model, 64, clears=False)) == []


def test_gradients_that_are_set_to_zero_in_place_are_not_gathered() -> None:
    model = fc()
    session = watch(model, every=1)
    for _ in range(25):
        loss = model(noise(16, 4)()).square().mean()
        model.zero_grad(set_to_none=False)
        loss.backward()

    assert only(session).sentence.startswith("No parameter moved in 25 captured runs")


def test_a_step_between_captured_runs_counts_as_a_move() -> None:
    torch.manual_seed(0)
    model = fc()
    session = watch(model, every=4)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for run in range(120):
        model(noise(16, 4)()).square().mean().backward()
        if run % 4 == 2:
            optimizer.step()

    assert symptoms(session) == []


def test_runs_without_a_backward_are_no_training() -> None:
    model = fc()
    session = watch(model, every=1)

    for _ in range(40):
        model(noise(16, 4)())

    assert symptoms(session) == []


def test_a_few_steps_are_too_few_to_say() -> None:
    torch.manual_seed(0)
    model = wired(lambda model, x: model.used(x), used=fc(), unused=fc())

    assert symptoms(trained(model, noise(16, 4), steps=2)) == []


def test_what_is_frozen_on_purpose_is_told_and_is_no_alarm() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Sequential(fc(), fc()).requires_grad_(False), fc())

    finding = only(trained(model, noise(16, 4), parameters=list(model[1].parameters())))

    assert (finding.symptom, finding.path, finding.is_alarm) == ("frozen on purpose", "0", False)
    assert finding.sentence == (
        "4 parameters have requires_grad=False, in 0 (Sequential): frozen on purpose, "
        "so they get no gradient and do not learn."
    )


def test_a_single_parameter_that_is_frozen_on_purpose_is_named() -> None:
    model = fc()
    model.bias.requires_grad_(False)
    session = watch(model)
    model(noise(16, 4)())

    finding = only(session)

    assert (finding.path, finding.module, finding.numbers) == ("bias", "", {"parameters": 1})
