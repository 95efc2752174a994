"""A tensor on display: its picture, and beside it its gradient, its hooks and what to expect of them."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from hookviz.diagram.typography import visible
from hookviz.errors import RenderError

if TYPE_CHECKING:
    from hookviz.session.tensor_view import TensorHook, TensorView

_LAYOUT = "display:flex; flex-wrap:wrap; gap:24px; align-items:center"
_MUTED = "color:var(--jp-ui-font-color2, #5a6474)"


def tensor_bundle(view: TensorView) -> dict[str, str]:
    """The tensor by MIME type: HTML with the picture inside, and text."""
    return {"text/plain": view.text(), "text/html": _html(view)}


def _html(view: TensorView) -> str:
    rows = "".join(_row(hook) for hook in view.hooks)
    hooks = f"<table>{rows}</table>" if rows else f'<p style="{_MUTED}">No hook is on it.</p>'
    return (
        f'<div style="{_LAYOUT}"><div>{_picture(view)}</div><div style="max-width:520px">'
        f"<p><b>{_text(view.name)}</b> · gradient {_text(view.gradient)}</p>{hooks}"
        f'<p style="{_MUTED}">{_text(view.explanation)}</p></div></div>'
    )


def _row(hook: TensorHook) -> str:
    state = "● on" if hook.enabled else "○ off"
    cells = "".join(f'<td style="text-align:left">{_text(text)}</td>' for text in (state, hook.label, hook.kind))
    return f'<tr>{cells}<td style="text-align:left; {_MUTED}">{_text(hook.source)}</td></tr>'


def _picture(view: TensorView) -> str:
    try:
        svg = view.svg()
    except RenderError as error:
        return f'<p style="{_MUTED}">{_text(str(error))}</p>'
    # Within HTML an XML declaration would be text.
    return svg[svg.index("<svg") :]


def _text(text: str) -> str:
    return escape(visible(text))
