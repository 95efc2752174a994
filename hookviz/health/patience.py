"""How much must have been captured before something is judged, in words."""

from __future__ import annotations

from typing import Final

from hookviz.health.thresholds import DEAD_SHARE, DEAD_VALUES, PERSISTENT, UNMOVED_RUNS

JUDGED: Final = (
    "NaN, infinities and explosions are told at once. "
    f"Dead units are judged once {DEAD_VALUES} values of each were seen, "
    f"and told if they are {100 * DEAD_SHARE:.0f} % of a layer; "
    f"layers that give only 0, fading gradients and saturated activations from {PERSISTENT} captured runs on; "
    f"that nothing moves after {UNMOVED_RUNS} runs with a backward."
)
"""What the list of what looks wrong says below itself, and where it is empty."""
