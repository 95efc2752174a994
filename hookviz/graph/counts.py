"""How many parameters there are, counted without running code of the model."""

from collections.abc import Iterable

from torch import nn
from torch.nn.parameter import is_lazy

_UNITS = ((10**12, "T"), (10**9, "B"), (10**6, "M"), (10**3, "k"))


def parameter_count(modules: Iterable[nn.Module]) -> list[str]:
    """How many parameters these modules and all inside have, as ``["448 params"]``; empty if none.

    A shared parameter counts once. Lazy modules do not know yet, which is said.
    """
    total = count_parameters(modules)
    if total is None:
        return ["params at first run"]
    return [f"{short_count(total)} param{'s' if total != 1 else ''}"] if total else []


def count_parameters(modules: Iterable[nn.Module]) -> int | None:
    """How many numbers are in the parameters of these modules and all inside; None while a lazy one is not made.

    A shared parameter counts once.
    """
    sizes: dict[int, int] = {}
    for module in modules:
        for part in nn.Module.modules(module):
            for parameter in part._parameters.values():
                if parameter is None:
                    continue
                if is_lazy(parameter):
                    return None
                sizes[id(parameter)] = parameter.numel()
    return sum(sizes.values())


def short_count(number: int) -> str:
    """A count in at most six characters: ``448``, ``2,320``, ``20.0k``, ``7.1M``."""
    if number < 10_000:
        return f"{number:,}"
    for unit, sign in _UNITS:
        # 999,700 is rounded up to the next unit, not to 1000k.
        if number >= 0.9995 * unit:
            scaled = number / unit
            return f"{scaled:.1f}{sign}" if scaled < 100 else f"{scaled:.0f}{sign}"
    return str(number)
