"""A whole message, as pytest.raises looks for it."""

import re


def exactly(text: str) -> str:
    return f"^{re.escape(text)}$"
