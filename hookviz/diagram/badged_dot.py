"""Badges in DOT: what looks wrong with a card stands in a line more, and the way of a NaN is red."""

from collections.abc import Mapping

from hookviz.diagram.labels import escaped
from hookviz.diagram.style import FONTS, PALETTE, SIZES
from hookviz.graph.badges import Badges

_END = "</TABLE>>"
_WAY = {"color": PALETTE.trouble, "penwidth": "2.2"}


def badged(attributes: Mapping[str, str], node_id: str, badges: Badges) -> dict[str, str]:
    """The attributes of a card or a box with a line that names what looks wrong with it."""
    badge = badges.cards.get(node_id)
    label = attributes["label"]
    if badge is None or not label.endswith(_END):
        return dict(attributes)
    colour = PALETTE.trouble if badge.alarms else PALETTE.muted
    text = escaped(f"{badge.sign} {', '.join(badge.symptoms)}")
    line = (
        f'<TR><TD ALIGN="LEFT"><FONT FACE="{FONTS.bold}" POINT-SIZE="{SIZES.detail:g}" COLOR="{colour}">'
        f"{text}</FONT></TD></TR>"
    )
    return {**attributes, "label": f"{label.removesuffix(_END)}{line}{_END}"}


def on_the_way(edge_id: str, badges: Badges) -> dict[str, str]:
    """The attributes of an edge on the way of a NaN; none of others."""
    return dict(_WAY) if edge_id in badges.way.edges else {}
