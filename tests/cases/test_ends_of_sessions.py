"""Sessions begin, end and overlap at any moment, models are dropped and rebuilt: nothing stays, nothing is mixed up."""

import gc
import weakref
from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

import hookviz
from hookviz.hooks.seam import ATTRIBUTE
from hookviz.session import Session, watch
from tests.cases.appearance import appearance, by_name, changes
from tests.cases.comparison import assert_captured, same_bits
from tests.cases.layered import double, halve, layers, look, nothing, output_of
from tests.cases.modules import Wired, leaf
from tests.hooked import of
from tests.views import at


def hooked() -> nn.Sequential:
    """A model with hooks of most kinds, which hold it."""
    model = layers()

    def hold(*_: object) -> None:
        assert model is not None

    for part in (model, model[0]):
        part.register_forward_pre_hook(double)
        part.register_forward_hook(halve)
        part.register_forward_hook(hold)
        part.register_full_backward_pre_hook(look)
        part.register_full_backward_hook(look)
    weight = model.get_parameter("0.weight")
    weight.register_hook(hold)
    weight.register_post_accumulate_grad_hook(look)
    return model


def write(session: Session) -> None:
    session.hook("0", "forward", halve)
    session.hook("0.weight", "tensor", lambda gradient: gradient * 2)
    session.intervene("1", hookviz.Scale(0.5))
    session.intervene("1", hookviz.Zero(), "grad_input")


def write_one_that_holds_the_model(session: Session) -> None:
    model = session.model

    def hold(*_: object) -> None:
        assert model is not None

    session.hook("0", "forward", hold)


def switch_all_off(session: Session) -> None:
    for hook in session.hooks:
        hook.disable()


def fail_once(session: Session) -> None:
    with pytest.raises(RuntimeError, match="shapes cannot be multiplied"):
        session.model(torch.ones(2, 5))


def fail_unseen(session: Session) -> None:
    watch(session.model, every=1000)
    session.model(leaf(2, 3))
    fail_once(session)
    assert session.failure is not None


def draw(session: Session) -> None:
    session.model(leaf(2, 3)).sum().backward()
    session.svg()
    assert session.effects() != []


@pytest.mark.parametrize(
    "use", [nothing, write, write_one_that_holds_the_model, switch_all_off, fail_once, fail_unseen, draw]
)
def test_a_dropped_model_is_collected_whatever_was_done_with_its_session(use: Callable[[Session], None]) -> None:
    model = hooked()
    session = watch(model, every=1)
    use(session)
    y = model(leaf(2, 3))
    y.sum().backward()
    reference = weakref.ref(model)

    del model, y
    gc.collect()

    assert reference() is None
    assert session.run is not None
    session.close()


class Interrupting(nn.Module):
    """Stops the program once, in forward or in backward."""

    def __init__(self, where: str) -> None:
        super().__init__()
        self.where = where

    def forward(self, x: Tensor) -> Tensor:
        where, self.where = self.where, ""
        if where == "forward":
            raise KeyboardInterrupt
        y = x * 1
        if where == "backward":
            y.register_hook(self.stop)
        return y

    @staticmethod
    def stop(_gradient: Tensor) -> None:
        raise KeyboardInterrupt


@pytest.mark.parametrize("where", ["forward", "backward"])
def test_an_interrupt_leaves_hooks_and_modes_as_they_were_and_the_next_run_is_right(where: str) -> None:
    def make(where: str) -> nn.Sequential:
        model = hooked()
        torch.manual_seed(1)
        model[1] = nn.Sequential(nn.Tanh(), Interrupting(where), nn.Linear(3, 3))
        return model

    unwatched = make("")
    expected = unwatched(torch.ones(2, 3, requires_grad=True))
    expected.sum().backward()
    model = make(where)
    before = appearance(model)

    with watch(model, every=1) as session:
        with pytest.raises(KeyboardInterrupt):
            model(torch.ones(2, 3, requires_grad=True)).sum().backward()
        model.zero_grad()
        left = {path: tuple(part._forward_hooks.values()) for path, part in model.named_modules()}
        y = model(torch.ones(2, 3, requires_grad=True))
        y.sum().backward()

        assert left == {path: before[f"_forward_hooks of {path!r}"] for path in left}
        assert same_bits(y, expected)
        assert same_bits([p.grad for p in model.parameters()], [p.grad for p in unwatched.parameters()])
        assert session.problem == ""
        assert_captured([output_of(session, "")], [expected])
        assert len(at(session, "1").calls) == 1
        assert session.run is not None
        assert session.run.has_gradients
    assert changes(before, appearance(model)) == []


@pytest.mark.parametrize("moment", ["in forward", "in a hook", "in backward"])
def test_a_session_that_is_closed_within_a_run_lets_the_run_end_and_leaves_nothing(moment: str) -> None:
    def make() -> Wired:
        torch.manual_seed(0)
        return Wired(
            lambda m, x: m.last(m.close(m.first(x))), first=nn.Linear(3, 3), close=nn.Identity(), last=nn.Linear(3, 3)
        )

    unwatched = make()
    x = torch.ones(2, 3, requires_grad=True)
    expected = unwatched(x)
    expected.sum().backward()
    model = make()
    sessions: list[Session] = []

    def close(*_: object) -> None:
        for session in sessions:
            session.close()

    class Closing(nn.Identity):
        def forward(self, x: Tensor) -> Tensor:
            if moment == "in forward":
                close()
            return x

    model.close = Closing()
    if moment == "in a hook":
        model.close.register_forward_hook(close)
    if moment == "in backward":
        model.last.weight.register_hook(close)
    before = appearance(model)
    sessions.append(watch(model, every=1))
    sessions[0].hook("first", "forward", look)
    sessions[0].hook("last", "backward", look)

    y = model(torch.ones(2, 3, requires_grad=True))
    y.sum().backward()

    assert same_bits(y, expected)
    assert same_bits([p.grad for p in model.parameters()], [p.grad for p in unwatched.parameters()])
    assert not sessions[0].is_open
    is_cut = moment != "in backward"
    assert sessions[0].problem == ("closed within a run: what came after that was not seen" if is_cut else "")
    assert changes(before, appearance(model)) == []
    seen = sessions[0].runs_seen
    model(torch.ones(2, 3))
    assert sessions[0].runs_seen == seen


def test_a_layer_that_is_replaced_takes_its_hooks_along_and_the_new_one_is_seen() -> None:
    model = layers()
    model[0].register_forward_hook(halve)
    session = watch(model, every=1)
    of(session, halve).disable()
    session.hook("0", "forward", double_output := (lambda module, args, output: output * 2))
    old = model[0]
    model(torch.ones(2, 3))

    model[0] = nn.Linear(3, 2)
    model[1] = nn.Linear(2, 1)
    y = model(torch.ones(2, 3))

    assert session.paths() == ["", "0", "1"]
    assert session.hooks == []
    assert_captured([output_of(session, "1")], [y])
    assert ATTRIBUTE not in old.__dict__
    assert "1.1" not in session.text()
    session.close()
    assert list(old._forward_hooks.values()) == [halve]
    assert double_output is not None


def test_layers_that_come_and_go_are_seen_from_the_next_run_on() -> None:
    model = layers()
    built = by_name(appearance(nn.Sequential(nn.Linear(3, 3), nn.ReLU())))
    with watch(model, every=1) as session:
        model(torch.ones(2, 3))
        removed = model[1]
        del model[1]
        model.append(nn.ReLU())
        y = model(torch.ones(2, 3))

        assert session.paths() == ["", "0", "1"]
        assert_captured([output_of(session, "1")], [y])
        assert session.svg().count("Tanh") == 0
        # By itself, it is no part of the model any more.
        removed(torch.ones(2, 3))
        assert session.runs_seen == 2
    assert changes(built, by_name(appearance(model))) == []
