"""Tables in Markdown, without padding: a changed cell changes one line."""

from collections.abc import Iterable, Sequence


def markdown_table(columns: str, rows: Iterable[Sequence[str]]) -> str:
    """Return a table; `columns` are headings separated by ` | `."""
    headings = columns.split(" | ")
    lines = [headings, *rows]
    text = [f"| {' | '.join(cells)} |\n" for cells in lines]
    return "".join([text[0], f"|{'---|' * len(headings)}\n", *text[1:]])
