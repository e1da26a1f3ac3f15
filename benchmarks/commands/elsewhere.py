"""`elsewhere`: what diagnose finds in files of other systems with known faults."""

from pathlib import Path
from typing import Annotated

import typer


def elsewhere(
    folders: Annotated[list[Path], typer.Argument(help="Folders with GROUND_TRUTH.tsv, CASES.tsv or LABELS.tsv.")],
    only: Annotated[str, typer.Option(help="Cases whose names hold this text.")] = "",
    whole: Annotated[bool, typer.Option("--whole", help="Also every finding.")] = False,
) -> None:
    """Faults found, healthy files accused, findings right by reading, and CPU seconds, a folder each."""
    from benchmarks.elsewhere.bench import answer_of, cases_of, table_of

    for folder in folders:
        cases = [case for case in cases_of(folder) if only in case.name]
        print(f"{folder.name}\n{table_of([answer_of(case) for case in cases], whole)}\n", flush=True)
