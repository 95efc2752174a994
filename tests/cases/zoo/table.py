"""Writes ``tests/cases/ZOO.md``: every layer and every architecture, tried in all settings.

From the project's folder: ``python -m tests.cases.zoo.table [processes]``; it takes minutes.
"""

import logging
import multiprocessing
import sys
import time
import warnings
from pathlib import Path
from typing import Final

import torch

from tests.cases.zoo.architectures import architecture, kinds
from tests.cases.zoo.layers import layers
from tests.cases.zoo.trial import Verdict, try_out

TABLE: Final = Path(__file__).parents[1] / "ZOO.md"

ASPECTS: Final = ("outputs", "gradients", "buffers", "random", "calls", "values", "flowed back", "picture", "left")

Row = Verdict | tuple[str, str]
"""What was found, or the name of a type and why there is none of it here."""

HEAD: Final = """\
# The zoo

Written by `python -m tests.cases.zoo.table` with torch {torch} and transformers {transformers}; do not edit.

Each model is run with random weights in train and eval, with and without grad, in float32 and bfloat16: without
hookviz, with a witness inside of `nn.Module.__call__`, watched with `every=1, inputs=True`, and (in float32) watched
with hooks that return None. A tick says:

- **outputs**, **gradients** (of parameters and inputs), **buffers** (and parameters), **random** (the states of
  torch's, Python's and NumPy's random numbers): bit for bit as without hookviz; what raises alone raises the same.
- **calls**, **values**: the calls that the witness saw, in its order, with the very inputs and outputs.
- **flowed back**: each captured gradient has the bits that `torch.autograd.grad` gives for that tensor.
- **picture**: SVG and text come out, and each card has the right number of calls.
- **left**: after `close()` no hook, attribute, mode, patch or thread remains, and the dropped model is collected.

{summary}
"""


NOT_TRIED: Final = """
## Not tried

These {count} types could not be built or fed at a tiny size by the rules here, or need what is not installed:

| type | reason |
|---|---|
"""


def try_layer(number: int) -> Row:
    """The row of one layer of ``torch.nn``."""
    return try_out(layers()[number])


def try_architecture(kind: str) -> Row:
    """The row of one type of model."""
    exhibit = architecture(kind)
    try:
        exhibit.make()
    except Exception as error:  # noqa: BLE001  # whatever is missing for it
        return kind, f"{type(error).__name__}: {_first_line(str(error))}"
    return try_out(exhibit)


def main() -> None:
    """Try all, and write the table."""
    started = time.perf_counter()
    processes = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    with multiprocessing.get_context("spawn").Pool(processes, _quiet, maxtasksperchild=100) as pool:
        of_layers = pool.map(try_layer, range(len(layers())), chunksize=4)
        of_architectures = pool.map(try_architecture, kinds(), chunksize=4)
    TABLE.write_text(_document(of_layers, of_architectures), encoding="utf-8")
    sys.stderr.write(f"{TABLE} after {time.perf_counter() - started:.0f} s\n")


def _quiet() -> None:
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    logging.disable()


def _document(of_layers: list[Row], of_architectures: list[Row]) -> str:
    from transformers import __version__ as version

    tried = [row for row in of_architectures if isinstance(row, Verdict)]
    missing = [row for row in of_architectures if not isinstance(row, Verdict)]
    ticked = [row for row in of_layers if isinstance(row, Verdict)]
    fine = sum(not row.troubles for row in (*tried, *ticked))
    values, gradients = (sum(getattr(row, what) for row in (*tried, *ticked)) for what in ("values", "gradients"))
    summary = (
        f"{len(tried)} architectures and {len(ticked)} layers were tried; {fine} of these "
        f"{len(tried) + len(ticked)} are fine in everything. "
        f"{values:,} values and {gradients:,} gradients were compared."
    )
    parts = [
        HEAD.format(torch=torch.__version__.partition("+")[0], transformers=version, summary=summary),
        *_table("Architectures", tried),
        *_table("Layers of torch.nn", ticked),
        NOT_TRIED.format(count=len(missing)),
        *(f"| {kind} | {_cell(reason)} |\n" for kind, reason in missing),
    ]
    return "".join(parts)


def _table(title: str, verdicts: list[Verdict]) -> list[str]:
    columns = ["model", "modules", "calls", *ASPECTS, "notes"]
    return [
        f"\n## {title}\n\n| {' | '.join(columns)} |\n|{'---|' * len(columns)}\n",
        *(f"| {' | '.join(_cells(verdict))} |\n" for verdict in verdicts),
    ]


def _cells(verdict: Verdict) -> list[str]:
    wrong = {trouble.aspect for trouble in verdict.troubles}
    marks = ["**no**" if aspect in wrong else "✓" for aspect in ASPECTS]
    notes = [
        *(f"{text} ({len(settings)} of 8 settings)" for text, settings in verdict.notes.items()),
        *dict.fromkeys(f"{trouble.aspect}: {trouble.text}" for trouble in verdict.troubles[:3]),
    ]
    return [verdict.name, str(verdict.modules), str(verdict.calls), *marks, _cell("; ".join(notes))]


def _cell(text: str) -> str:
    return _first_line(text).replace("|", "\\|").replace("<", "\\<")


def _first_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 160 else f"{line[:157]}..."


if __name__ == "__main__":
    main()
