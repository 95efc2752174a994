"""The widgets; the only part that imports anywidget, ipywidgets and traitlets."""
