"""``import hookviz`` costs a script that only watches no notebook libraries and no time."""

import json
import subprocess
import sys

ALLOWED_SECONDS = 0.2


def test_import_loads_neither_ipython_nor_the_widget_libraries() -> None:
    heavy = ["IPython", "anywidget", "ipywidgets", "traitlets", "pandas"]
    code = f"import sys, json, hookviz; print(json.dumps([name for name in {heavy} if name in sys.modules]))"

    loaded = json.loads(in_a_fresh_interpreter(code))

    assert loaded == []


def test_import_takes_hardly_longer_than_torch_alone() -> None:
    code = """
import time
import torch
start = time.perf_counter()
import hookviz
print(time.perf_counter() - start)
"""

    # Of several tries the least: whatever else the machine does only adds to it.
    seconds = min(float(in_a_fresh_interpreter(code)) for _ in range(3))

    assert seconds <= ALLOWED_SECONDS


def in_a_fresh_interpreter(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
