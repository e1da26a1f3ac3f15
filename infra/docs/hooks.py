"""Hooks of the documentation site: the reference is made from the code, and links out of docs/ lead to text.

`mkdocs` calls these. configuration.md lists every key of the schema, commands.md every command with its options.
"""

import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
_OUTSIDE = re.compile(r"\[([^\]]+)\]\((?:\.\./|notebooks/|examples/)[^)\s]*\)?")


def on_files(files: Any, config: Any) -> Any:
    """Add the pages of the reference."""
    from mkdocs.structure.files import File

    for name, text in {"configuration": configuration(), "commands": commands()}.items():
        files.append(File.generated(config, f"reference/{name}.md", content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Turn links that leave docs/ into their text: the site holds docs/ alone."""
    return _OUTSIDE.sub(r"\1", markdown)


def configuration() -> str:
    """Return the page of all keys."""
    from evotrainer.config.reference import reference

    lines = ["# Configuration", "", "| key | default | allowed | factor | meaning |", "|---|---|---|---|---|"]
    for key in reference():
        cells = [f"`{key.name}`", f"`{key.default}`", key.allowed, key.factor or "protected", key.meaning]
        lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    return "\n".join(lines)


def commands() -> str:
    """Return the page of all commands."""
    import typer.main

    from cli.main import app

    lines = ["# Commands", ""]
    for words, command in _walk("evotrainer", typer.main.get_command(app)):
        lines += [f"## {words}", "", command.help or "", ""]
        options = [parameter for parameter in command.params if parameter.name != "help"]
        if options:
            lines += ["| argument | meaning |", "|---|---|"]
            lines += [f"| `{', '.join(one.opts)}` | {getattr(one, 'help', '') or ''} |" for one in options]
            lines.append("")
    return "\n".join(lines)


def _walk(words: str, command: Any) -> Any:
    for name, child in sorted(getattr(command, "commands", {}).items()):
        yield from _walk(f"{words} {name}", child)
    if not getattr(command, "commands", None):
        yield words, command
