"""How a module's forward names its arguments."""

import inspect

from torch import nn


def positional_names(module: nn.Module, count: int) -> list[str]:
    """The names of the first ``count`` positional arguments of a module's forward."""
    names: list[str] = []
    try:
        parameters = list(inspect.signature(type(module).forward).parameters.values())[1:]
    except (AttributeError, TypeError, ValueError):
        # A ScriptModule has no Python signature on its class.
        parameters = []
    for parameter in parameters:
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            names += [f"{parameter.name}[{index}]" for index in range(count - len(names))]
        elif parameter.kind in {inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD}:
            names.append(parameter.name)
    names += [f"input[{index}]" for index in range(len(names), count)]
    return names[:count]
