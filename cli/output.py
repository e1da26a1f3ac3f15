"""How commands print: tables and lines for a person, one JSON value for a program (--json)."""

import json
from collections.abc import Sequence
from typing import Annotated, Any

import typer

Json = Annotated[bool, typer.Option("--json", help="Print one JSON value.")]
Name = Annotated[str, typer.Argument(help="The campaign's name.")]
PIPE_WIDTH = 240
Version = Annotated[str, typer.Argument(help="A version, like v003.")]


def print_json(value: Any) -> None:
    """Print one JSON value; what JSON does not know becomes text."""
    print(json.dumps(value, indent=2, default=str, ensure_ascii=False))


def print_rows(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Print a table, columns as wide as they need to be: no line is cut in a pipe."""
    from rich import box
    from rich.table import Table

    table = Table(*columns, box=box.SIMPLE_HEAD, pad_edge=False)
    for row in rows:
        table.add_row(*["" if value is None else str(value) for value in row])
    print_table(table)


def print_table(table: Any) -> None:
    """Print a rich table."""
    from rich.console import Console

    Console(highlight=False, width=output_width()).print(table)


def output_width() -> int:
    """Return the columns that a line may take: those of the terminal, or many where a program reads."""
    from rich.console import Console

    console = Console()
    return console.width if console.is_terminal else PIPE_WIDTH
