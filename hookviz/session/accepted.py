"""What the methods of a session take, and what they say when they are given something else."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import get_args

from torch import nn

from hookviz.errors import OptionError
from hookviz.graph.graph import Graph
from hookviz.hooks.hook import Hook
from hookviz.session.options import ONE_PATTERN
from hookviz.session.switches import Switch

SWITCHES: tuple[Switch, ...] = get_args(Switch)


def require_path(given: object) -> None:
    """See that this can be the path of a module or parameter.

    Raises:
        OptionError: if it is no text.
    """
    if not isinstance(given, str):
        raise OptionError(
            f'A module or parameter is named by its path, such as "fc.weight", the model itself by ""; '
            f"got {_shown(given)}. All paths of modules: session.paths()."
        )


def require_pattern(given: object) -> None:
    """See that this can pick modules.

    Raises:
        OptionError: if it is neither text nor a class of modules.
    """
    if not (isinstance(given, str) or (isinstance(given, type) and issubclass(given, nn.Module))):
        raise OptionError(f"Modules are picked by {ONE_PATTERN}; got {_shown(given)}.")


def require_switch(given: object) -> None:
    """See that there is such a kind of capture.

    Raises:
        OptionError: if there is none.
    """
    if given not in SWITCHES:
        near = difflib.get_close_matches(str(given), SWITCHES, n=1)
        raise OptionError(
            f"There is no capture {given!r:.60} to switch.{f' Nearest: {near[0]!r}.' if near else ''} "
            f"The captures: {', '.join(map(repr, SWITCHES))}."
        )


def require_graph(given: object) -> None:
    """See that this is a graph as a session gives it.

    Raises:
        OptionError: if it is something else.
    """
    require("A graph is what session.graph() gives", given, is_accepted=isinstance(given, Graph))


def require_label(given: object) -> None:
    """See that a hook can have this name.

    Raises:
        OptionError: if it is no text.
    """
    is_accepted = given is None or isinstance(given, str)
    require('label is a hook\'s name in the list and the picture, such as "clip"', given, is_accepted=is_accepted)


def require_hook(given: object) -> None:
    """See that this is a hook as a session lists it.

    Raises:
        OptionError: if it is something else.
    """
    if not isinstance(given, Hook):
        raise OptionError(
            f"A hook is one that session.hooks lists, or that session.hook(...) returned; got {_shown(given)}."
        )


def hooks_of(given: Iterable[Hook]) -> list[Hook]:
    """Several hooks as a list.

    Raises:
        OptionError: if one of them is no hook, or they are not several.
    """
    if not isinstance(given, Iterable):
        raise OptionError(f"Hooks are given in a list, such as session.hooks; got {_shown(given)}.")
    hooks = list(given)
    for hook in hooks:
        require_hook(hook)
    return hooks


def require(accepted: str, given: object, *, is_accepted: bool) -> None:
    """Raise ``OptionError`` with what is accepted and what was given, unless it is accepted."""
    if not is_accepted:
        raise OptionError(f"{accepted}; got {_shown(given)}.")


def _shown(given: object) -> str:
    return f"{given!r:.60} ({type(given).__name__})"
