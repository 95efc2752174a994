"""What the README promises is there."""

import re
from pathlib import Path

from hookviz.magic.arguments import help_text

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
OPTION = r"--[a-z-]+"


def test_table_lists_each_option_of_the_magic() -> None:
    table = README.partition("| `%hookviz` | |")[2].partition("\n\n")[0]

    assert sorted(re.findall(rf"^\| `({OPTION})", table, re.MULTILINE)) == sorted(
        set(re.findall(rf"^  ({OPTION})", help_text(), re.MULTILINE))
    )


def test_links_into_the_repository_lead_somewhere() -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", README)

    assert len(links) > 3
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_continuous_integration_runs_the_test_command_of_the_readme() -> None:
    command = next(line for line in README.splitlines() if line.startswith("python3 -m venv") and "test" in line)

    assert command.rpartition("&& ")[2] == "pytest"
    assert "\npytest\n" in (ROOT / ".ci" / "run").read_text()
