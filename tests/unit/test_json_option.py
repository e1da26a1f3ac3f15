"""Every command answers a program with one JSON value, but for those named here."""

from collections.abc import Iterator
from typing import Any

from typer.main import get_command

from cli.main import app

WITHOUT = {
    "campaign run": "it runs for hours and ends in `key: value` lines; `campaign status --json` has them",
    "follow": "it runs until the run ends; what it finds is JSON for --notify",
    "mcp": "it runs until it is interrupted",
    "serve": "it runs until it is interrupted",
    "script": "it prints the script",
    "view": "it serves a page until it is interrupted",
    "export-trajectories": "it writes JSON lines",
    "data build": "`data verify --json` says what is there",
    "data export": "it writes JSON lines",
}


def commands(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


def test_every_command_but_those_named_has_json() -> None:
    lacking = {
        name for name, command in commands(get_command(app)) if not any("--json" in one.opts for one in command.params)
    }
    assert lacking == set(WITHOUT)
