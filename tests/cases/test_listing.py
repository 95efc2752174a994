"""Every hook on a model is listed, whoever put it there, with what it was registered with."""

from collections.abc import Callable, Collection

import pytest
import torch
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.nn.modules import module as torch_module
from torch.nn.utils import prune, spectral_norm, weight_norm

from tests.cases.adapter import Tool
from tests.cases.watching import attached


def one_layer() -> nn.Sequential:
    return nn.Sequential(nn.Linear(3, 3))


def ignore(*args: object) -> None:
    """A hook that only looks."""


def is_listed(
    tool: Tool, kind: str, owner: str, function: Callable[..., object], flags: Collection[str] = frozenset()
) -> bool:
    """True if a hook is listed as the very callable that was registered, with at least these flags."""
    return any(
        (hook["kind"], hook["owner"]) == (kind, owner) and hook["fn"] is function and set(flags) <= set(hook["flags"])
        for hook in tool.hooks()
    )


def foreign_kinds(tool: Tool, owner: str) -> set[str]:
    return {hook["kind"] for hook in tool.hooks() if hook["owner"] == owner and not hook["own"]}


def test_the_flags_of_forward_hooks_are_listed() -> None:
    """They live in tables beside the one that everybody reads.

    C91: pytorch/pytorch#89389, pytorch/pytorch#82042.
    """

    def with_keywords(module: nn.Module, args: object, kwargs: object) -> None: ...
    def always(module: nn.Module, args: object, kwargs: object, output: object) -> None: ...
    def plain(module: nn.Module, args: object, output: object) -> None: ...

    model = one_layer()
    model[0].register_forward_pre_hook(with_keywords, with_kwargs=True)
    model[0].register_forward_hook(always, with_kwargs=True, always_call=True)
    model[0].register_forward_hook(plain)

    with attached(model) as tool:
        assert is_listed(tool, "forward_pre", "0", with_keywords, {"with_kwargs"})
        assert is_listed(tool, "forward", "0", always, {"with_kwargs", "always_call"})
        assert is_listed(tool, "forward", "0", plain)


def test_a_legacy_backward_hook_is_listed_as_one() -> None:
    """C67: pytorch/pytorch#46163, and an experiment."""
    model = one_layer()
    model[0].register_backward_hook(ignore)

    with attached(model) as tool:
        assert is_listed(tool, "backward", "0", ignore, {"legacy"})


def test_a_hook_after_accumulation_is_listed_under_its_parameter() -> None:
    """C71: pytorch/pytorch#107063."""
    model = one_layer()
    model.get_parameter("0.weight").register_post_accumulate_grad_hook(ignore)

    with attached(model) as tool:
        assert is_listed(tool, "post_accumulate_grad", "0.weight", ignore)


def test_only_the_users_hooks_are_foreign_however_often_a_model_is_attached() -> None:
    """C77: meta-pytorch/captum#834, pytorch/pytorch#70455, pytorch/pytorch#5037."""
    model = one_layer()
    model[0].register_forward_hook(ignore)

    with attached(model), attached(model) as newer:
        model(torch.randn(2, 3)).sum().backward()

        assert [hook["fn"] for hook in newer.hooks() if not hook["own"]] == [ignore]


@pytest.mark.filterwarnings("ignore:.*weight_norm. is deprecated:FutureWarning")
def test_the_hook_of_weight_norm_is_listed() -> None:
    """C87: pytorch/pytorch#28594, pytorch/pytorch#102981, pytorch/pytorch#41529, pytorch/pytorch#86457."""
    model = nn.Sequential(weight_norm(nn.Linear(3, 3)))
    (hook,) = model[0]._forward_pre_hooks.values()

    with attached(model) as tool:
        assert is_listed(tool, "forward_pre", "0", hook)


def test_the_hook_of_pruning_is_listed() -> None:
    """C89: torch.nn.utils.prune; pytorch/pytorch#78109."""
    model = one_layer()
    prune.l1_unstructured(model[0], "weight", amount=3)
    (hook,) = model[0]._forward_pre_hooks.values()

    with attached(model) as tool:
        assert is_listed(tool, "forward_pre", "0", hook)


@pytest.mark.filterwarnings("ignore:.*spectral_norm. is deprecated:FutureWarning")
def test_the_three_hooks_of_spectral_norm_are_listed() -> None:
    """Without one of them checkpoints break.

    C90: pytorch/pytorch#13350, pytorch/pytorch#8590.
    """
    model = nn.Sequential(spectral_norm(nn.Linear(4, 3)))

    with attached(model) as tool:
        assert foreign_kinds(tool, "0") >= {"forward_pre", "state_dict", "load_state_dict_pre"}


def test_global_hooks_are_listed_as_global(monkeypatch: pytest.MonkeyPatch) -> None:
    """They act on every module and belong to none.

    C93: pytorch/pytorch#54405, pytorch/pytorch#149502.
    """

    def before(module: nn.Module, args: object) -> None: ...
    def after(module: nn.Module, args: object, output: object) -> None: ...
    def backward_before(module: nn.Module, grad_output: object) -> None: ...
    def backward_after(module: nn.Module, grad_input: object, grad_output: object) -> None: ...

    # PyTorch keeps this flag after the last of the hooks is gone.
    monkeypatch.setattr(torch_module, "_global_is_full_backward_hook", None)
    handles = [
        torch_module.register_module_forward_pre_hook(before),
        torch_module.register_module_forward_hook(after),
        torch_module.register_module_full_backward_pre_hook(backward_before),
        torch_module.register_module_full_backward_hook(backward_after),
    ]
    try:
        with attached(one_layer()) as tool:
            assert is_listed(tool, "global_forward_pre", "global", before)
            assert is_listed(tool, "global_forward", "global", after)
            assert is_listed(tool, "global_backward_pre", "global", backward_before)
            assert is_listed(tool, "global_backward", "global", backward_after)
    finally:
        for handle in handles:
            handle.remove()


def test_hooks_on_saving_and_loading_are_listed_as_the_user_gave_them() -> None:
    """PyTorch wraps one of the four kinds.

    C94: pytorch/pytorch#117437, pytorch/pytorch#75287.
    """

    def saved(module: nn.Module, state: object, prefix: object, metadata: object) -> None: ...
    def saving(module: nn.Module, prefix: object, keep_vars: object) -> None: ...
    def loading(module: nn.Module, *rest: object) -> None: ...
    def loaded(module: nn.Module, keys: object) -> None: ...

    model = one_layer()
    model[0].register_state_dict_post_hook(saved)
    model[0].register_state_dict_pre_hook(saving)
    model[0].register_load_state_dict_pre_hook(loading)
    model[0].register_load_state_dict_post_hook(loaded)

    with attached(model) as tool:
        assert is_listed(tool, "state_dict", "0", saved)
        assert is_listed(tool, "state_dict_pre", "0", saving)
        assert is_listed(tool, "load_state_dict_pre", "0", loading)
        assert is_listed(tool, "load_state_dict_post", "0", loaded)


@pytest.mark.usefixtures("process_group")
def test_the_hooks_of_full_sharding_are_listed_as_foreign() -> None:
    """C98: pytorch/pytorch#181832, pytorch/pytorch#181850."""
    model = nn.Sequential(nn.Linear(4, 4))
    fully_shard(model, mesh=init_device_mesh("cpu", (1,)))

    with attached(model) as tool:
        assert foreign_kinds(tool, "") & {"forward", "forward_pre"}


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
def test_a_hook_on_a_quantized_module_is_listed() -> None:
    """C52: an experiment; compare pytorch/pytorch#69158."""
    model = torch.ao.quantization.quantize_dynamic(one_layer(), {nn.Linear})
    model[0].register_forward_hook(ignore)

    with attached(model) as tool:
        assert is_listed(tool, "forward", "0", ignore)
