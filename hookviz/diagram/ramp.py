"""The scale of colours: from its place on the scale to the colour of a card.

On both papers it goes away from the paper as numbers grow, evenly in lightness, so that it is read
without seeing hues, and in print. The ink of each paper reaches 4.5:1 on all of it (WCAG 2.2, AA).
"""

LIGHT = ("#fff7dc", "#fbd9b0", "#f3b1b5", "#d596cf", "#a98be0")
"""On white paper, with dark ink."""

DARK = ("#26252f", "#41305f", "#653a86", "#8a3d8c", "#a6456f")
"""On dark paper, with light ink."""


def colour_at(place: float, ramp: tuple[str, ...] = LIGHT) -> str:
    """The colour at a place from 0 to 1, mixed in sRGB from the two nearest of the ramp."""
    position = min(max(place, 0.0), 1.0) * (len(ramp) - 1)
    below = min(int(position), len(ramp) - 2)
    share = position - below
    mixed = (
        round(first + share * (second - first))
        for first, second in zip(_channels(ramp[below]), _channels(ramp[below + 1]), strict=True)
    )
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
