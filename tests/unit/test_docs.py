"""The documentation is tested: its commands exist with their options, its settings compose."""

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


def settings(line: str) -> list[str]:
    """Return the KEY=VALUE settings of a command that composes a campaign."""
    words = [word for word in shlex.split(line) if "=" in word and not word.startswith(("--", "domain.data_path"))]
    return [word for word in words if not re.search("[<>]|^SELECT", word)]


RUNS = sorted({line for _, line in ALL if re.match("evotrainer campaign run|python -m benchmarks", line)})


@pytest.fixture
def own_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install what docs/recipe.md shows, and a domain of a person's own."""
    (shown,) = re.findall(r"```python\n(# my_terms.py\n.*?)```", (ROOT / "docs/recipe.md").read_text(), re.DOTALL)
    (tmp_path / "my_terms.py").write_text(shown)
    (tmp_path / "my_package").mkdir()
    (tmp_path / "my_package" / "domain.py").write_text("from evotrainer.domains.math.domain import MATH as MINE\n")
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.parametrize("line", [line for line in RUNS if settings(line)])
@pytest.mark.usefixtures("own_package")
def test_documented_settings_compose(line: str) -> None:
    assert compose_campaign(settings(line))


NAMED = sorted(
    {found for page in PAGES for found in re.findall(r"`([a-z_]+(?:\.[a-z_]+)?=[\w.+-]+)`", page.read_text())}
)
PLACEHOLDERS = {"seed=N", "evaluate.recipe_seeds=k", "harness.thresholds.NAME=VALUE", "domain.data_path=FILE"}

NEEDED = {
    "domain.access=": "domain=swe",
    "engine.gradient_checkpointing=": "policy.path=models/own",
    "engine.lora.": "policy.path=models/own",
    "engine.precision=": "policy.path=models/own",
    "engine.packing=": "policy.path=models/own engine.micro_batch_tokens=4096",
    "engine.optimiser=": "policy.path=models/own",
}
"""What a setting stands beside."""


def test_settings_named_in_the_text_compose() -> None:
    for named in NAMED:
        if named not in PLACEHOLDERS:
            needed = " ".join(settings for start, settings in NEEDED.items() if named.startswith(start))
            assert compose_campaign([*needed.split(), named]), named
