"""A view that keeps what it was shown."""

from hookviz.widget.scene import Scene


class View:
    """Keeps the scenes that it was shown."""

    def __init__(self) -> None:
        self.scenes: list[Scene] = []

    def show(self, scene: Scene) -> None:
        self.scenes.append(scene)
