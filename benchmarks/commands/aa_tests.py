"""`aa-tests`: real campaigns in which nothing is better, so that every promotion is false."""

from pathlib import Path
from typing import Annotated

import typer

from benchmarks.commands.options import output_folder


def aa_tests(
    overrides: Annotated[list[str] | None, typer.Argument(help="Settings of all campaigns, KEY=VALUE.")] = None,
    campaigns: Annotated[int, typer.Option(min=1, help="A/A campaigns.")] = 59,
    out: Annotated[Path, typer.Option(help="Folder of attempts and table.")] = Path("scratch/benchmarks/aa-tests"),
) -> None:
    """Campaigns of fresh draws of one policy, in which nothing is better, so that every promotion is false."""
    from benchmarks.aa_tests.bench import run_aa_tests
    from benchmarks.aa_tests.outcomes import aa_table
    from flows.workspace.worktree import project_root

    table = aa_table(run_aa_tests(project_root(), overrides or [], campaigns, output_folder(out)))
    (out / "table.md").write_text(table, encoding="utf-8")
    print(f"{table}\nwritten to {out}")
