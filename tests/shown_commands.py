"""Commands that the documentation shows, read from its code blocks and inline code, and parsed as a shell would."""

import functools
import re
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer.main
from markdown_it import MarkdownIt
from typer.core import TyperGroup
from typer.exceptions import TyperException

from benchmarks.__main__ import app as benchmarks
from cli.main import app as evotrainer

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", ROOT / "AGENTS.md", *ROOT.glob("docs/*.md"), *ROOT.glob("skills/*/SKILL.md")])
START = re.compile(r"(?:\$ )?(?:\.venv/bin/)?(evotrainer|python -m benchmarks|make)(?= |$)")


@dataclass(frozen=True, order=True)
class Shown:
    """A command and where it stands."""

    page: str
    line: str
    in_block: bool
    """Whether it is shown to be typed; in a sentence a command may be named without its arguments."""

    @property
    def words(self) -> list[str]:
        return shlex.split(self.line)

    @property
    def program(self) -> str:
        return "benchmarks" if self.words[0] == "python" else self.words[0]

    @property
    def arguments(self) -> list[str]:
        return self.words[3:] if self.program == "benchmarks" else self.words[1:]


@functools.cache
def shown_commands() -> list[Shown]:
    """Return every command of the product, its benchmarks and its Makefile, each once a page."""
    return sorted({shown for page in PAGES for shown in _commands(page)})


def _commands(page: Path) -> list[Shown]:
    found: list[Shown] = []
    for block in MarkdownIt("commonmark").parse(page.read_text(encoding="utf-8")):
        for part in [block, *(block.children or [])]:
            if part.type in ("fence", "code_block"):
                found += [Shown(page.name, line, True) for line in map(_command, _lines(part.content)) if line]
            elif part.type == "code_inline" and (line := _command(part.content)):
                found.append(Shown(page.name, line, False))
    return found


def _lines(block: str) -> list[str]:
    """Return the lines of a block, continued ones joined, and what `&&` joins apart."""
    joined = re.sub(r"\s*\\\n\s*", " ", block)
    return [part.strip() for line in joined.splitlines() for part in line.split(" && ")]


def _command(text: str) -> str:
    """Return a line without prompt and comment where it is a command, else nothing."""
    start = START.match(text)
    return re.sub(r"\s+#.*", "", start[1] + text[start.end() :]).strip() if start else ""


@functools.cache
def parsed(shown: Shown) -> typer.Context:
    """Return the command at the end of a line with its values, or raise what typing it would."""
    command, words = named(shown)
    return command.make_context(shown.program, words)


def named(shown: Shown) -> tuple[Any, list[str]]:
    """Return the command of a line, and the words that follow its name."""
    command, words = _program(shown.program), shown.arguments
    while isinstance(command, TyperGroup) and words and not words[0].startswith("-"):
        name, *words = words
        assert name in command.commands, f"{shown.page}: there is no command {name} in: {shown.line}"
        command = command.commands[name]
    return command, words


def settings(shown: Shown) -> list[str]:
    """Return the KEY=VALUE words of a command that composes a campaign."""
    if isinstance(named(shown)[0], TyperGroup) or is_named_alone(shown):
        return []
    values = parsed(shown).params
    lists = [values.get(name) for name in ("overrides", "settings", "override")]
    return [word for words in lists if isinstance(words, (list, tuple)) for word in words]


def dry_run(line: str) -> str:
    """Return what `make` would do for a line; raises CalledProcessError where it knows no such target."""
    command = ["make", "--dry-run", "--always-make", *shlex.split(line)[1:]]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


@functools.cache
def _program(name: str) -> Any:
    return typer.main.get_command(evotrainer if name == "evotrainer" else benchmarks)


def is_named_alone(shown: Shown) -> bool:
    """Whether a sentence names a command without what it needs."""
    if shown.in_block or isinstance(named(shown)[0], TyperGroup):
        return False
    try:
        parsed(shown)
    except TyperException:
        return True
    return False
