"""Neither the list of hooks nor what is off keeps a model alive."""

import gc
import weakref

import pytest
from torch import nn
from torch.utils.hooks import RemovableHandle

from hookviz.errors import HookGoneError
from hookviz.session import session_of, watch
from tests.hooked import batch, model_of

REMOVE = RemovableHandle.remove


def hooked() -> nn.Sequential:
    """A model with hooks that hold it."""
    model = model_of()

    def holding(*_: object) -> None:
        assert model is not None

    model[0].register_forward_hook(holding)
    model[0].register_full_backward_hook(holding)
    model.get_parameter("0.weight").register_hook(holding)
    return model


@pytest.mark.parametrize("is_off", [False, True])
def test_a_model_that_is_dropped_is_collected_with_its_hooks(is_off: bool) -> None:
    model = hooked()
    session = watch(model)
    for hook in session.hooks:
        if is_off:
            hook.disable()
    model(batch()).sum().backward()
    reference = weakref.ref(model)

    del model, hook
    gc.collect()

    assert reference() is None
    assert RemovableHandle.remove is REMOVE
    session.close()


def test_a_switch_that_waits_keeps_no_model_alive() -> None:
    model = hooked()
    session = watch(model)
    model[1].register_forward_hook(lambda *_: session.hooks[0].disable())
    model(batch())
    reference = weakref.ref(model)

    del model
    gc.collect()

    assert reference() is None


def test_a_hook_of_a_layer_that_is_gone_is_gone() -> None:
    model = hooked()
    session = watch(model)
    hook = session.hooks[0]
    hook.disable()

    model[0] = nn.Linear(3, 3)
    gc.collect()

    # The user's name on it keeps the layer's hook, but nothing the layer.
    with pytest.raises(HookGoneError, match="the part of the model that it was on is gone"):
        hook.enable()
    assert not hook.enabled


def test_handles_are_watched_only_while_something_is_taken_out() -> None:
    model = hooked()
    with watch(model) as session:
        backward = next(hook for hook in session.hooks if hook.kind == "backward")
        assert RemovableHandle.remove is REMOVE

        backward.disable()
        assert RemovableHandle.remove is not REMOVE

        backward.enable()
        assert RemovableHandle.remove is REMOVE
        assert vars(model[0]._backward_hooks) == {}
        backward.disable()

    assert RemovableHandle.remove is REMOVE
    assert session_of(model) is None
