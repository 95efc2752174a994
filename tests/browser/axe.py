"""axe-core, which looks in a page for what keeps people from using it: https://github.com/dequelabs/axe-core."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import Locator

from tests.browser.stillness import wait_for_animations

SCRIPT = Path(__file__).parents[2] / "hookviz" / "frontend" / "node_modules" / "axe-core" / "axe.min.js"


def violations(part: Locator) -> list[str]:
    """What axe-core holds against a part of the page, one text for each element: the rule, the element, the reason.

    Where it found nothing to look at it would hold nothing against it either, so such a part is an error.
    """
    # As an expression, not as a script of the page, which a page's security policy may forbid.
    part.evaluate(script())
    wait_for_animations(part)
    found: dict[str, list[str]] = part.evaluate(
        """async part => {
            const { violations, passes } = await axe.run(part, {
                resultTypes: ["violations"],
                // Part of WCAG 2.2 AA, but off by itself.
                rules: { "target-size": { enabled: true } },
            });
            const lines = violations.flatMap(({ id, nodes }) =>
                nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`));
            return { violations: lines, passes: passes.map(({ id }) => id) };
        }"""
    )
    assert {"aria-allowed-attr", "button-name"} <= set(found["passes"])
    return found["violations"]


def script() -> str:
    """The program as npm installed it; a test without it is skipped, but in continuous integration it fails."""
    if SCRIPT.is_file():
        return SCRIPT.read_text()
    reason = "No axe-core: run npm ci in hookviz/frontend."
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)
