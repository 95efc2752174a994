"""Asks what the browser asks."""

from typing import Any

from hookviz.widget.commands import answer
from hookviz.widget.presentation import Presentation


class Asker:
    """Sends commands as the browser does."""

    def __init__(self, presentation: Presentation) -> None:
        self.presentation = presentation

    def __call__(self, command: str, **fields: Any) -> dict[str, Any]:
        content, _ = answer(self.presentation, {"id": 1, "command": command, **fields})
        assert "error" not in content, content
        reply: dict[str, Any] = content["reply"]
        return reply

    def refused(self, command: str, **fields: Any) -> str:
        content, _ = answer(self.presentation, {"id": 1, "command": command, **fields})
        error: str = content["error"]
        return error

    def inspect(self, node_id: str, tab: str = "output") -> dict[str, Any]:
        return self("inspect", node_id=node_id, call=0, tab=tab)
