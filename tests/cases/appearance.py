"""How a model looks from outside: what a tool that came and went must have left as it was."""

from collections.abc import Iterator
from itertools import chain

from torch import Tensor, nn
from torch.nn.parameter import is_lazy

HOOK_TABLES = (
    "_forward_pre_hooks",
    "_forward_pre_hooks_with_kwargs",
    "_forward_hooks",
    "_forward_hooks_with_kwargs",
    "_forward_hooks_always_called",
    "_backward_pre_hooks",
    "_backward_hooks",
    "_state_dict_pre_hooks",
    "_state_dict_hooks",
    "_load_state_dict_pre_hooks",
    "_load_state_dict_post_hooks",
)

Appearance = dict[str, tuple[object, ...]]


def appearance(model: nn.Module) -> Appearance:
    """Types, attribute names and hooks of all modules, and the hooks on their parameters and buffers."""
    return dict(chain.from_iterable(_of_module(*named) for named in model.named_modules(remove_duplicate=False)))


def by_name(looks: Appearance) -> Appearance:
    """The same with each object replaced by its name, so that two models built alike look alike."""
    return {what: tuple(map(_name, found)) for what, found in looks.items()}


def changes(before: Appearance, after: Appearance) -> list[str]:
    """One sentence on each thing that is not as it was."""
    return [
        f"{what}: {before.get(what)} became {after.get(what)}"
        for what in {**before, **after}
        if before.get(what) != after.get(what)
    ]


def _of_module(path: str, module: nn.Module) -> Iterator[tuple[str, tuple[object, ...]]]:
    yield f"type of {path!r}", (type(module),)
    yield f"attributes of {path!r}", tuple(sorted(module.__dict__))
    for table in HOOK_TABLES:
        yield f"{table} of {path!r}", tuple(getattr(module, table, {}).values())
    for name, tensor in chain(module._parameters.items(), module._buffers.items()):
        if tensor is not None:
            yield f"hooks on {path!r}.{name}", tuple(_hooks_of(tensor))


def _hooks_of(tensor: Tensor) -> Iterator[object]:
    yield from (tensor._backward_hooks or {}).values()
    # A lazy parameter has no such attribute before its first use.
    if not is_lazy(tensor):
        yield from (tensor._post_accumulate_grad_hooks or {}).values()


def _name(thing: object) -> object:
    return thing if isinstance(thing, str | bool) else getattr(thing, "__qualname__", type(thing).__qualname__)
