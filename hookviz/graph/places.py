"""Where each module stands in the picture: in which box, under which name."""

from collections.abc import Collection, Iterable, Mapping

from torch import nn

from hookviz.graph.counts import parameter_count
from hookviz.graph.graph import Group, Node


class Places:
    """Turns paths into cards and boxes that nest as the paths do.

    Args:
        modules: The model's modules by path.
        cards: Paths of modules that are one card; no box is drawn for them, whatever is inside.
    """

    def __init__(self, modules: Mapping[str, nn.Module], cards: Collection[str]) -> None:
        self._modules = modules
        self._cards = cards

    def is_inside_card(self, path: str) -> bool:
        """Whether a module above this one is a card, so that this one is not shown."""
        return any(above in self._cards for above in self._above(path))

    def box_of(self, path: str) -> str | None:
        """Path of the box in which the module stands, None at the top."""
        # The model itself has no box: the title stands for it.
        return next((above for above in self._above(path) if above and above not in self._cards), None)

    def boxes(self, path: str) -> list[str]:
        """Paths of all boxes around the inside of a container, from the outermost to its own."""
        around = [above for above in self._above(path) if above and above not in self._cards]
        return [*reversed(around), path] if path else []

    def card(
        self,
        path: str,
        type_name: str,
        *,
        detail: str,
        calls: int = 1,
        in_place: bool = False,
        passes_through: bool = False,
        shape: tuple[int, ...] | None = None,
    ) -> Node:
        """The card of a module."""
        name = path.rpartition(".")[2]
        return Node(
            f"module:{path}",
            "module",
            path,
            name or type_name,
            type_name if name else "",
            detail,
            box_id(self.box_of(path)),
            calls,
            in_place=in_place,
            passes_through=passes_through,
            shape=shape,
        )

    def group(self, path: str, type_name: str, *, calls: int, shape: tuple[int, ...] | None = None) -> Group:
        """The box of a container."""
        module = self._modules.get(path)
        detail = "".join(parameter_count([module])) if module is not None else ""
        return Group(
            f"module:{path}",
            path,
            path.rpartition(".")[2],
            type_name,
            box_id(self.box_of(path)),
            calls,
            detail,
            shape=shape,
        )

    @staticmethod
    def used(groups: Iterable[Group], nodes: Iterable[Node]) -> tuple[Group, ...]:
        """The boxes that have a card inside, at whatever depth."""
        groups = tuple(groups)
        parents = {group.id: group.parent for group in groups}
        used: set[str] = set()
        for node in nodes:
            box = node.group
            while box is not None and box not in used:
                used.add(box)
                box = parents.get(box)
        return tuple(group for group in groups if group.id in used)

    def _above(self, path: str) -> Iterable[str]:
        """Paths of the modules above this one, from the nearest to the model itself."""
        while path:
            path = path.rpartition(".")[0]
            if path in self._modules:
                yield path


def box_id(path: str | None) -> str | None:
    """Id of the box of a container; the model itself has none."""
    return f"module:{path}" if path else None
