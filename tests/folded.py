"""What folding makes of edges, worked out on the names of nodes alone."""

Edges = set[tuple[str, str]]


def folded(edges: Edges, closed: set[str]) -> Edges:
    """The same edges with the ends that lie in closed containers moved to the outermost of them."""

    def place(node: str) -> str:
        kind, _, rest = node.partition(":")
        owner = rest.partition(":")[0] if kind == "op" else rest.rpartition(".")[0] if kind == "module" else ""
        parts = owner.split(".") if owner else []
        around = [".".join(parts[: end + 1]) for end in range(len(parts))]
        return next((f"module:{path}" for path in around if path in closed), node)

    moved = {(place(source), place(target), source == target) for source, target in edges}
    boxes = {(f"module:{path}", f"module:{path}") for path in closed}
    return {(source, target) for source, target, is_loop in moved if source != target or is_loop} - boxes
