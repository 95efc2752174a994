"""``import hookviz`` costs a script that only watches no notebook libraries; what time it takes is in tests/bench."""

import json
import subprocess
import sys

HEAVY = ("IPython", "anywidget", "graphviz", "ipykernel", "ipywidgets", "traitlets", "pandas", "matplotlib")


def test_import_loads_neither_ipython_nor_the_libraries_of_widget_and_diagram() -> None:
    code = "import sys, json, hookviz; print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))"

    loaded = json.loads(in_a_fresh_interpreter(code))

    assert "hookviz" in loaded
    assert [name for name in HEAVY if name in loaded] == []


def in_a_fresh_interpreter(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
