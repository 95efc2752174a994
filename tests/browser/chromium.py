"""The browser of the stories: the system's Chromium or Chrome, else the one that Playwright installed."""

import os
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright

PROGRAMS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]
# Without these Chromium calls home, which stalls on a closed network; a container has no sandbox to give.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

PATIENCE_MS = 60_000
"""A busy machine takes longer than Playwright's own limits; where all is well, nothing waits so long."""


def launch(playwright: Playwright) -> Browser:
    """Start a browser; a test without one is skipped, but in continuous integration it fails."""
    for program in [*map(shutil.which, PROGRAMS), playwright.chromium.executable_path]:
        if program is not None and Path(program).is_file():
            return playwright.chromium.launch(executable_path=program, args=FLAGS)
    reason = f"No browser: none of {', '.join(PROGRAMS)} is on PATH, and playwright install was not run."
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)
