"""Parameters that do not move while others do are found, with the reason."""

import torch
from torch import nn

from hookviz.session import watch
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
        "4 parameters have requires_grad=False, in 0 (Sequential): frozen on purpose, so they get no gradient and do not learn."
    )


def test_a_single_parameter_that_is_frozen_on_purpose_is_named() -> None:
    model = fc()
    model.bias.requires_grad_(False)
    session = watch(model)
    model(noise(16, 4)())

    finding = only(session)

    assert (finding.path, finding.module, finding.numbers) == ("bias", "", {"parameters": 1})
