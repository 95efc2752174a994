"""Of networks that learn well, as those of the notebooks, nothing is said: a false alarm is soon overlooked."""

import json
import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"

ASK = """
import json
print(json.dumps([(name, [finding.sentence for finding in hookviz.watch(model_).health()])
                  for name, model_ in {models}]))
"""


@pytest.mark.slow
@pytest.mark.notebook
@pytest.mark.parametrize(
    ("name", "models"),
    [
        ("02_look_inside", '[("model", model), ("healed", healed)]'),
        ("03_transformer", '[("model", model), ("attention", hookviz.watch(model).model.blocks[0].attention)]'),
    ],
)
def test_nothing_looks_wrong_in_a_healthy_notebook(name: str, models: str) -> None:
    notebook = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
    for cell in notebook.cells:
        # More runs than the default would capture in so short a training: more chances for a false alarm.
        cell.source = re.sub(r"^(%hookviz \w+)(?!.*--every)", r"\1 --every 5", cell.source, flags=re.MULTILINE)
    asked = new_code_cell(ASK.replace("{models}", models))
    notebook.cells.append(asked)

    NotebookClient(notebook, timeout=240, resources={"metadata": {"path": str(NOTEBOOKS)}}).execute()

    told = json.loads("".join(output["text"] for output in asked["outputs"] if output["output_type"] == "stream"))
    assert [findings for _, findings in told] == [[], []]
    assert len(told) == 2
