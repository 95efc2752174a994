"""Where Graphviz puts everything, without what is written there and in which colour."""

import json
import subprocess
from typing import Any

from hookviz.diagram.render import engines

_INK = {"color", "fillcolor", "label", "tooltip", "class", "style", "_draw_", "_ldraw_"}


def layout(dot: str) -> dict[str, Any]:
    """Every coordinate of the layout, as the engine's JSON names them."""
    command = [str(engines()[0]), "-Tjson"]
    drawn = subprocess.run(command, input=dot.encode(), capture_output=True, check=True).stdout
    return dict(_without_ink(json.loads(drawn)))


def _without_ink(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_ink(item) for key, item in value.items() if key not in _INK}
    if isinstance(value, list):
        return [_without_ink(item) for item in value]
    return value
