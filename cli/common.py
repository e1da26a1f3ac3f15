"""What commands share: arguments and the campaigns that these name; tables, lines and JSON as they print them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evotrainer.campaign.untrusted import HIDDEN, escape
from evotrainer.errors import EvidenceError

if TYPE_CHECKING:
    from evotrainer.campaign.layout import CampaignFiles, VersionFiles
    from flows.workspace.worktree import Workspace


def known_campaigns(incomplete: str) -> list[str]:
    """Return the campaigns of the checkout around the current folder whose names begin so."""
    return [name for name in campaign_names() if name.startswith(incomplete)]


def known_versions(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the versions of the campaign that was typed before."""
    from flows.workspace.worktree import Workspace

    names = Workspace(checkout(), str(ctx.params.get("name"))).files.version_names()
    return [name for name in names if name.startswith(incomplete)]


def known_keys(incomplete: str) -> list[str]:
    """Return the keys of the configuration that begin so, ready for a value."""
    from evotrainer.config.reference import reference

    return [f"{key.name}=" for key in reference() if key.name.startswith(incomplete)]


def named_path(text: str) -> Path:
    """Return a path; raises EvidenceError for an empty one, which a variable that is not set leaves."""
    if not text:
        raise EvidenceError("the path is empty: name a file or a folder, . for this one")
    return Path(text)


Json = Annotated[bool, typer.Option("--json", help="Print one JSON value.")]
Name = Annotated[str, typer.Argument(help="The campaign's name.", autocompletion=known_campaigns)]
Version = Annotated[str, typer.Argument(help="A version, like v003.", autocompletion=known_versions)]
Settings = Annotated[
    list[str] | None, typer.Argument(help="Settings, KEY=VALUE, like num_versions=6.", autocompletion=known_keys)
]
RowsFormat = Annotated[
    str, typer.Option("--from", help="Their format, like verl or trl; without it, it is recognised.")
]
Columns = Annotated[
    str | None,
    typer.Option("--map", help="Columns that are called otherwise: OURS=THEIRS,OURS=THEIRS, or a YAML file of them."),
]
OwnChecks = Annotated[
    list[Path] | None, typer.Option("--checks", help="A YAML file of checks of your own (docs/harness.md).")
]
RowsPath = Annotated[
    Path | None,
    typer.Option(
        "--trajectories",
        parser=named_path,
        metavar="<path>",
        help="Attempts of any system: a file, a folder or a pattern.",
    ),
]
PIPE_WIDTH = 240
COLUMN_GAP = 3
MIN_FOLDED_WIDTH = 24
"""Columns that a folded last column gets at least."""


def print_json(value: Any) -> None:
    """Print one JSON value; what JSON does not know becomes text, and hidden characters are its own escapes."""
    text = json.dumps(value, indent=2, default=str, ensure_ascii=False)
    print(HIDDEN.sub(lambda found: json.dumps(found.group())[1:-1], text))


def tell(as_json: bool, value: Any, text: str) -> None:
    """Print one JSON value for a program, or what a person reads."""
    print_json(value) if as_json else print(text)


def print_rows(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Print a table that fits the terminal, as wide as it needs to be in a pipe.

    Where it does not fit, its last column is folded; where that column would get too narrow, each row is a block of
    `column: value` lines. Nothing is cut.
    """
    columns = [escape(name) for name in columns]
    cells = [["" if value is None else escape(str(value)) for value in row] for row in rows]
    widths = [max(len(name), *(len(row[place]) for row in cells), 0) for place, name in enumerate(columns)]
    before = sum(widths[:-1]) + COLUMN_GAP * len(columns)
    if before + min(widths[-1], MIN_FOLDED_WIDTH) <= output_width():
        _print_table(columns, cells)
    else:
        _print_blocks(columns, cells)


def _print_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in columns[:-1]:
        table.add_column(Text(name), no_wrap=True)
    table.add_column(Text(columns[-1]), overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    print_table(table)


def _print_blocks(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print each row as lines, its first cell as their head."""
    for row in rows:
        print_line(row[0])
        for name, value in zip(columns[1:], row[1:], strict=True):
            if value:
                print_line(f"{name}: {value}", indent=2)


def print_line(text: str, indent: int = 0) -> None:
    """Print a line, continued below where the terminal is narrower."""
    import textwrap

    text = escape(text)
    own = indent + len(text) - len(text.lstrip())
    lines = textwrap.wrap(
        text.strip(),
        output_width(),
        initial_indent=" " * own,
        subsequent_indent=" " * (own + 2),
        break_on_hyphens=False,
    )
    print("\n".join(lines))


def print_table(table: Any) -> None:
    """Print a rich table."""
    from rich.console import Console

    Console(highlight=False, width=output_width()).print(table)


def output_width() -> int:
    """Return the columns that a line may take: as COLUMNS says, those of the terminal, or many for a program."""
    import os

    from rich.console import Console

    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns):
        return int(columns)
    console = Console()
    return console.width if console.is_terminal else PIPE_WIDTH


def checkout() -> Path:
    """Return the main checkout that a command works on."""
    from flows.workspace.worktree import project_root

    return project_root()


def campaign_names() -> list[str]:
    """Return the names of all campaigns of the checkout."""
    from flows.workspace import worktree

    return worktree.campaign_names(checkout())


def read_campaign(name: str) -> "Workspace":
    """Return a campaign to read from; raises LineageError naming a result that is not as it was recorded."""
    from flows.workspace.closed_versions import readable_campaign

    return readable_campaign(checkout(), name)


def version_of(name: str, text: str) -> "tuple[CampaignFiles, VersionFiles]":
    """Return the files of a campaign, and those of its version that a person typed; raises as `read_campaign` does."""
    from evotrainer.campaign.layout import parse_version
    from flows.workspace.worktree import find_version

    workspace = read_campaign(name)
    return workspace.files, workspace.files.version(find_version(workspace, parse_version(text)))
