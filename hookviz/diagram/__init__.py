"""From a graph to DOT, SVG, PNG and text."""
