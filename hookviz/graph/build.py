"""Makes the whole graph of a model, everything unfolded: from a run's flow, or from its modules alone."""

from itertools import pairwise

from torch import nn

from hookviz.graph.chain import chained
from hookviz.graph.detail import module_detail
from hookviz.graph.flow_graph import FlowGraph
from hookviz.graph.graph import Edge, Graph, Group, Node
from hookviz.graph.places import Places
from hookviz.package import Package
from hookviz.tracing.flow import Flow
from hookviz.tracing.visibility import is_compiled_wrapper, visibility


def build_graph(model: nn.Module, flow: Flow | None, *, title: str) -> Graph:
    """The picture's structure.

    With a flow, what was not called in that run is left out: a picture of a run shows the run. A
    container whose children were called is there even if it is never called itself, as ``ModuleList``,
    so that boxes nest as paths do.

    Without a flow, all modules are there as they are nested, and edges of kind ``order`` lead from
    one to the next in the order of registration.
    """
    modules = dict(nn.Module.named_modules(model))
    graph = _registered(modules, title) if flow is None else FlowGraph(modules, flow).graph(title)
    return chained(graph, model) if isinstance(model, Package) else graph


def _registered(modules: dict[str, nn.Module], title: str) -> Graph:
    closed = {path for path, module in modules.items() if _is_card(module)}
    places = Places(modules, closed)
    nodes: list[Node] = []
    groups: list[Group] = []
    for path, module in modules.items():
        if places.is_inside_card(path) or _is_empty_list(module):
            continue
        if path in closed:
            nodes.append(places.card(path, type(module).__name__, detail=module_detail(module)))
        elif path:
            groups.append(places.group(path, type(module).__name__, calls=0))
    edges = [Edge(f"{before.id}->{after.id}", before.id, after.id, kind="order") for before, after in pairwise(nodes)]
    return Graph(title, tuple(nodes), places.used(groups, nodes), tuple(edges), is_traced=False)


def _is_card(module: nn.Module) -> bool:
    return is_compiled_wrapper(module) or visibility(module) == "closed"


def _is_empty_list(module: nn.Module) -> bool:
    """Whether this is a list of modules with nothing in it, which can never be called."""
    lists = (nn.ModuleList, nn.ModuleDict, nn.ParameterList, nn.ParameterDict)
    return issubclass(type(module), lists) and _is_card(module)
