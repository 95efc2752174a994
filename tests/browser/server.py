"""A real Jupyter server, with settings of its own, for one run of the tests."""

import json
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

from tests.browser.kernels import write_kernel_specs

App = Literal["lab", "notebook"]
START_SECONDS = 90


@dataclass(frozen=True, slots=True)
class JupyterServer:
    """Where the server is, and the folder whose notebooks it shows."""

    url: str
    notebooks: Path
    token: str

    def write(self, name: str, *sources: str, kernel_name: str = "python3") -> str:
        """Put a notebook of some code cells there and give back its name."""
        cells = [new_code_cell(source) for source in sources]
        kernel = {"name": kernel_name, "display_name": kernel_name, "language": "python"}
        nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": kernel}), self.notebooks / name)
        return name

    def address(self, name: str, app: App = "lab") -> str:
        """The page of a notebook; of JupyterLab in a workspace of its own, so that nothing else is open there."""
        if app == "notebook":
            return f"{self.url}/notebooks/{name}?token={self.token}"
        return f"{self.url}/lab/workspaces/{Path(name).stem}/tree/{name}?token={self.token}"

    def start_kernel(self, name: str) -> None:
        """Start the kernel of a notebook; one that runs already goes on.

        The page finds it and need not wait for it: while the page loads, the kernel does too.
        """
        kernel = nbformat.read(self.notebooks / name, as_version=4).metadata["kernelspec"]["name"]
        self.ask("POST", "sessions", {"path": name, "name": name, "type": "notebook", "kernel": {"name": kernel}})

    def end_kernels(self) -> None:
        """End all kernels: each of them holds a PyTorch of its own."""
        for kernel in json.loads(self.ask("GET", "kernels")):
            self.ask("DELETE", f"kernels/{kernel['id']}")

    def ask(self, method: str, resource: str, given: object = None) -> bytes:
        """The answer of the server's own interface."""
        headers = {"Authorization": f"token {self.token}"}
        data = None if given is None else json.dumps(given).encode()
        request = urllib.request.Request(f"{self.url}/api/{resource}", data, headers, method=method)
        with urllib.request.urlopen(request, timeout=30) as answer:
            found: bytes = answer.read()
            return found


@contextmanager
def running_server(home: Path, *, app: App = "lab") -> Iterator[JupyterServer]:
    """Start a server whose files all lie below ``home``; it ends with the block."""
    notebooks = home / "notebooks"
    notebooks.mkdir(parents=True)
    switch_off_the_news(home / "config")
    write_kernel_specs(home / "data")
    import_torch_at_start(home / "ipython")
    server = JupyterServer(f"http://127.0.0.1:{free_port()}", notebooks, secrets.token_hex())
    options = [
        "--no-browser",
        "--allow-root",
        "--ip=127.0.0.1",
        f"--port={server.url.rpartition(':')[2]}",
        "--port-retries=0",
        f"--IdentityProvider.token={server.token}",
        f"--ServerApp.root_dir={notebooks}",
        # Nothing in a kernel is worth the second that it takes to end by itself.
        "--KernelManager.shutdown_wait_time=0.2",
        # The tests drive the page through its own commands.
        "--expose-app-in-browser",
    ]
    log = home / "server.log"
    with log.open("w") as stream:
        process = subprocess.Popen(
            [sys.executable, "-m", "jupyter", app, *options],
            cwd=notebooks,
            env=environment(home),
            stdout=stream,
            stderr=stream,
        )
        try:
            wait_for_answer(server, process, log)
            yield server
        finally:
            stop(process)


def stop(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    try:
        process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        # A server that is asked to end while a kernel starts waits for ever.
        process.kill()
        process.wait()


def environment(home: Path) -> dict[str, str]:
    """No setting, kernel or file of the person who runs the tests."""
    folders = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "IPYTHONDIR": "ipython",
    }
    return {**os.environ, **{name: str(home / folder) for name, folder in folders.items()}}


def switch_off_the_news(config: Path) -> None:
    """JupyterLab asks whether to fetch news, in a box that would lie over the page.

    It also looks, at each load of a page, whether it should be built anew, which takes the server a second.
    """
    page = config / "labconfig" / "page_config.json"
    page.parent.mkdir(parents=True)
    news = {"@jupyterlab/apputils-extension:announcements": True}
    page.write_text(json.dumps({"disabledExtensions": news, "buildCheck": "false"}))


def import_torch_at_start(ipython: Path) -> None:
    """PyTorch takes a kernel longer than all else; so it has it by the time that the page is loaded."""
    startup = ipython / "profile_default" / "startup" / "torch_first.py"
    startup.parent.mkdir(parents=True)
    # The names of the notebook do not have it: each story imports what it uses.
    startup.write_text('__import__("torch")\n')


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for_answer(server: JupyterServer, process: "subprocess.Popen[bytes]", log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        try:
            server.ask("GET", "status")
            return
        except (urllib.error.URLError, TimeoutError):
            time.sleep(0.1)
    raise RuntimeError(f"The Jupyter server gave no answer. It said:\n{log.read_text()}")
