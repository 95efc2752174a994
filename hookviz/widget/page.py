"""A session as one page for a browser: the front end with a recording in it, no kernel and no network."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from string import Template
from typing import TYPE_CHECKING, Final

from hookviz.widget.bundle import read_page

if TYPE_CHECKING:
    from hookviz.widget.recording_wire import RecordingWire

# The page may run the one script that it was written with, and load nothing from anywhere.
# https://www.w3.org/TR/CSP3/#framework-directives
_POLICY: Final = (
    "default-src 'none'; script-src 'sha256-$hash'; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)

_PAGE: Final = Template(f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="hookviz">
<title>$title</title>
<style>$style</style>
</head>
<body>
<noscript>This page draws a recording of a model by a script, and scripts are switched off.</noscript>
<script type="application/json" id="hookviz-recording">$data</script>
<script>$script</script>
</body>
</html>
""")


def page_of(recording: RecordingWire) -> str:
    """The text of the page that shows a recording.

    Raises:
        BundleMissingError: if the front end was not built.
    """
    script, style = read_page()
    # A script ends at the first "</script", wherever it stands; within JavaScript's texts the two spell the same.
    script = script.replace("</script", "<\\/script")
    return _PAGE.substitute(
        title=html.escape(recording["status"]["name"]),
        style=style,
        script=script,
        hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii"),
        data=as_json_in_html(recording),
    )


def as_json_in_html(data: object) -> str:
    """JSON in which no name can end the element that it stands in, or begin another.

    https://html.spec.whatwg.org/multipage/scripting.html#restrictions-for-contents-of-script-elements
    """
    return json.dumps(data, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
