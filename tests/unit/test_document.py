"""A session as JSON: what other programs find in it, and that reading it runs nothing."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from hookviz.errors import OptionError
from hookviz.session import Session, watch
from tests.models import fc, row


def exported(session: Session, folder: Path, depth: int | None = None) -> Any:
    target = folder / "model.json"
    session.export(target, depth)
    return json.loads(target.read_text(encoding="utf-8"), parse_constant=pytest.fail)


def test_json_has_the_structure_with_every_container_unfolded(tmp_path: Path) -> None:
    model = nn.Sequential(nn.Sequential(fc(), nn.ReLU()))
    session = watch(model, every=1)
    model(row())

    found = exported(session, tmp_path)

    assert (found["format"], found["version"], found["status"]["name"]) == ("hookviz", 1, "Sequential")
    assert [node["path"] for node in found["graph"]["nodes"] if node["kind"] == "module"] == ["0.0", "0.1"]
    assert [group["path"] for group in found["graph"]["groups"]] == ["0"]
    assert found["node_data"]["module:0.0"]["state"] == "captured"


def test_json_of_a_depth_folds_what_lies_below(tmp_path: Path) -> None:
    model = nn.Sequential(nn.Sequential(fc(), nn.ReLU()))
    session = watch(model)

    found = exported(session, tmp_path, depth=0)

    assert [node["path"] for node in found["graph"]["nodes"] if node["kind"] == "module"] == ["0"]
    with pytest.raises(OptionError):
        exported(session, tmp_path, depth=-1)


def test_json_has_the_statistics_of_each_call(tmp_path: Path) -> None:
    layer = nn.Linear(1, 1, bias=False)
    nn.init.constant_(layer.weight, 2.0)
    model = nn.Sequential(layer, layer)
    session = watch(model, every=1)
    model(torch.tensor([[1.0], [3.0]])).sum().backward()

    calls = exported(session, tmp_path)["run"]["calls"]

    assert [(call["path"], call["index"]) for call in calls] == [("", 0), ("0", 0), ("0", 1)]
    first = calls[1]["output"][0]
    assert (first["label"], first["summary"]["mean"], first["summary"]["max"]) == ("output", 4.0, 6.0)
    assert sum(first["summary"]["histogram"]["counts"]) == 2
    assert calls[1]["grad_output"][0]["summary"]["mean"] == 2.0
    assert calls[2]["output"][0]["summary"]["mean"] == 8.0


def test_json_has_each_parameter_once_with_its_gradient(tmp_path: Path) -> None:
    layer = nn.Linear(1, 1, bias=False)
    nn.init.constant_(layer.weight, 2.0)
    model = nn.Sequential(layer, layer, nn.BatchNorm1d(1))
    model[2].requires_grad_(requires_grad=False)
    session = watch(model, every=1)
    model(torch.tensor([[1.0], [3.0]])).sum().backward()

    parameters = {each["path"]: each for each in exported(session, tmp_path)["parameters"]}

    assert [path for path in parameters if path.endswith("weight")] == ["0.weight", "2.weight"]
    assert parameters["0.weight"]["summary"]["mean"] == 2.0
    assert parameters["0.weight"]["grad_summary"]["numel"] == 1
    assert parameters["2.weight"]["grad_summary"] is None
    assert parameters["2.weight"]["note"] == "frozen: does not require grad"


def test_json_spells_nan_and_infinity_as_text(tmp_path: Path) -> None:
    model = nn.Sequential(nn.Identity())
    session = watch(model, every=1)
    model(torch.tensor([1.0, torch.inf]))

    summary = exported(session, tmp_path)["run"]["calls"][1]["output"][0]["summary"]

    assert (summary["min"], summary["max"], summary["mean"], summary["infs"]) == (1.0, "inf", "inf", 1)


def test_json_lists_the_hooks_with_what_they_did(tmp_path: Path) -> None:
    model = nn.Sequential(fc())
    session = watch(model, every=1)
    session.hook("0", "forward", lambda _module, _args, output: output + 1)
    model(row())

    hooks = exported(session, tmp_path)["hooks"]

    assert [(hook["path"], hook["kind"], hook["outcome"], hook["enabled"]) for hook in hooks] == [
        ("0", "forward", "changed", True)
    ]


def test_json_before_the_first_run_has_no_run(tmp_path: Path) -> None:
    model = nn.Sequential(fc(), nn.LazyLinear(2))
    session = watch(model)

    found = exported(session, tmp_path)

    assert found["run"] is None
    assert [each["path"] for each in found["parameters"]] == ["0.weight", "0.bias", "1.weight", "1.bias"]


def test_json_holds_no_tensor(tmp_path: Path) -> None:
    model = nn.Sequential(nn.Linear(300, 300))
    session = watch(model, every=1)
    model(torch.randn(300, 300))

    session.export(tmp_path / "model.json")

    # 90,000 weights would take more.
    assert (tmp_path / "model.json").stat().st_size < 20_000


def test_json_is_read_without_torch_and_hookviz(tmp_path: Path) -> None:
    model = nn.Sequential(fc())
    session = watch(model)
    session.name = 'a "b" \ud800 </script>'
    session.export(tmp_path / "model.json")
    code = "import json, sys; print(ascii(json.load(open(sys.argv[1], encoding='utf-8'))['status']['name']))"

    read = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, tmp_path / "model.json"], capture_output=True, text=True, check=True
    )

    assert read.stdout.strip() == ascii('a "b" \ud800 </script>')
