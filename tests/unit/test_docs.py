"""The documentation is tested: its commands exist with their options, its files exist, its overrides compose."""

import re
import shlex
from pathlib import Path

import pytest
import typer.main

from benchmarks.__main__ import app as benchmarks
from cli.main import app
from conf.compose import compose_campaign

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "AGENTS.md", *(ROOT / "docs").glob("*.md")])


def commands(page: Path) -> list[str]:
    """Return the commands of the product and its benchmarks in indented or fenced blocks and in inline code."""
    text = re.sub(r"\\\n\s*", " ", page.read_text())
    program = r"(?:\.venv/bin/)?((?:evotrainer|python -m benchmarks) "
    blocks = re.findall(rf"^(?:    |\$ )?{program}[^\n`#]+)", text, re.MULTILINE)
    return [line.split("  ")[0].strip() for line in blocks + re.findall(rf"`{program}[^`]+)`", text)]


ALL = sorted({(page.name, line) for page in PAGES for line in commands(page)})


@pytest.mark.parametrize(("page", "line"), ALL)
def test_a_documented_command_exists_with_its_options(page: str, line: str) -> None:
    program, *words = shlex.split(line)
    command = typer.main.get_command(app if program == "evotrainer" else benchmarks)
    words = words if program == "evotrainer" else words[2:]
    while words and not words[0].startswith("--") and (group := getattr(command, "commands", None)):
        name = words.pop(0)
        assert name in group, f"{page}: there is no command {name} in: {line}"
        command = group[name]
    known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    used = {word.split("=")[0] for word in words if word.startswith("--")}
    assert used <= known | {"--help"}, f"{page}: unknown option in: {line}"


RUNS = sorted({line for _, line in ALL if "campaign run" in line and "=" in line})


@pytest.mark.parametrize("line", RUNS)
def test_documented_settings_compose(line: str) -> None:
    words = [word for word in shlex.split(line)[3:] if "=" in word and not word.startswith(("--", "domain.data_path"))]
    assert compose_campaign([word for word in words if "<" not in word])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_linked_files_exist(page: Path) -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)", page.read_text()):
        assert (page.parent / target).exists(), f"{page.name} links {target}"
