"""One watched model with its captures, its flow and its picture; knows no Jupyter."""

from hookviz.session.options import WatchOptions
from hookviz.session.session import Session
from hookviz.session.views import ModuleView, ParameterView
from hookviz.session.watching import session_of, watch

__all__ = ["ModuleView", "ParameterView", "Session", "WatchOptions", "session_of", "watch"]
