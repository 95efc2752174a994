"""What ``session[path]`` gives, as the kind that a test knows it to be."""

from hookviz.session import ModuleView, ParameterView, Session


def at(session: Session, path: str) -> ModuleView:
    """The module at a path."""
    view = session[path]
    assert isinstance(view, ModuleView)
    return view


def parameter_at(session: Session, path: str) -> ParameterView:
    """The parameter or buffer at a path."""
    view = session[path]
    assert isinstance(view, ParameterView)
    return view
