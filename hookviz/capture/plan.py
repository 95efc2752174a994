"""What is captured of a module."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Plan:
    """What is captured of one module."""

    outputs: bool = True
    gradients: bool = True
    inputs: bool = False


NOTHING: Final = Plan(outputs=False, gradients=False, inputs=False)
