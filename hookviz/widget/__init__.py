"""The widgets over one session; the only part that imports anywidget, ipywidgets and traitlets."""

from hookviz.widget.widget import DiagramWidget, HooksWidget, HookViz, InspectorWidget

__all__ = ["DiagramWidget", "HookViz", "HooksWidget", "InspectorWidget"]
