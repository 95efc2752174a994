"""What forward receives after its pre-hooks is told of the call that is looked at, and of no other."""

import threading

import torch
from torch import Tensor, nn

from hookviz.session import watch
from tests.views import at


def test_a_call_in_another_thread_goes_through_the_same_hooks_and_is_not_taken_for_the_one_that_is_captured() -> None:
    model = nn.Sequential(nn.ReLU())
    elsewhere: list[Tensor] = []

    def double(_module: nn.Module, args: tuple[Tensor]) -> Tensor:
        if threading.current_thread() is threading.main_thread():
            other = threading.Thread(target=lambda: elsewhere.append(model(torch.full((2,), 5.0))))
            other.start()
            other.join()
        return args[0] * 2

    model[0].register_forward_pre_hook(double)
    with watch(model, every=1, inputs=True) as session:
        y = model(torch.ones(2))

        assert y.tolist() == [2.0, 2.0]
        assert [other.tolist() for other in elsewhere] == [[10.0, 10.0]]
        assert at(session, "0").input[0][0].tensor.tolist() == [2.0, 2.0]


def test_a_replica_that_shares_the_hooks_is_not_taken_for_its_original() -> None:
    model = nn.ReLU()
    replica = model._replicate_for_data_parallel()

    def double(module: nn.Module, args: tuple[Tensor]) -> Tensor:
        if module is model:
            replica(torch.full((2,), 5.0))
        return args[0] * 2

    model.register_forward_pre_hook(double)
    with watch(model, every=1, inputs=True) as session:
        model(torch.ones(2))

        assert at(session, "").input[0][0].tensor.tolist() == [2.0, 2.0]
