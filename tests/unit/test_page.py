"""The exported page: whole in one file, small, and names in it are text."""

import base64
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from hookviz.session import Session, watch
from hookviz.widget import page as page_file
from tests.bench.models import resnet
from tests.models import fc, row

HOSTILE = '</script><script>alert(1)</script><!--"'


def exported(session: Session, folder: Path) -> str:
    target = folder / "model.html"
    session.export(target)
    return target.read_text(encoding="utf-8")


def recording_in(page: str) -> Any:
    found = re.search(r'<script type="application/json" id="hookviz-recording">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


@pytest.fixture
def no_front_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A script that is short, and has in it what would end its element."""
    monkeypatch.setattr(page_file, "read_page", lambda: ("f('</script>')", ".hookviz {}"))


@pytest.mark.usefixtures("no_front_end")
def test_names_are_text_whatever_is_in_them(tmp_path: Path) -> None:
    model = nn.Sequential()
    model.add_module("a</script><b>", fc())
    session = watch(model, every=1)
    session.name = HOSTILE
    model(row())

    page = exported(session, tmp_path)

    assert page.count("<script") == 2
    assert page.count("</script>") == 2
    assert "<title>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;!--&quot;</title>" in page
    found = recording_in(page)
    assert found["status"]["name"] == HOSTILE
    assert "module:a</script><b>" in found["nodes"]


@pytest.mark.usefixtures("no_front_end")
def test_only_the_page_s_own_script_may_run_and_nothing_may_be_loaded(tmp_path: Path) -> None:
    model = nn.Sequential(fc())

    page = exported(watch(model), tmp_path)

    script = page.rpartition("<script>")[2].partition("</script>")[0]
    assert script == "f('<\\/script>')"
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert policy[1].split("; ") == [
        "default-src 'none'",
        f"script-src 'sha256-{digest}'",
        "style-src 'unsafe-inline'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    ]


def test_page_of_a_resnet_18_is_below_2_mb(tmp_path: Path) -> None:
    torch.manual_seed(0)
    model, images = resnet()
    session = watch(model, every=1, inputs=True)
    model(images).sum().backward()

    page = exported(session, tmp_path)

    assert len(page.encode()) < 2_000_000
    entries = [
        entry
        for node in recording_in(page)["nodes"].values()
        for entries in (node["parameters"], *(each for call in node["calls"] for each in call["entries"].values()))
        for entry in entries
    ]
    # Weights, statistics of the norms and what flowed: all are there, with their pictures.
    assert len(entries) > 300
    assert [entry["label"] for entry in entries if entry["kept"] and entry["picture"] is None] == []
    assert sum(entry["picture"] is not None for entry in entries) > 250
