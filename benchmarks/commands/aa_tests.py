"""`aa-tests`: real campaigns in which nothing is better, so that every promotion is false."""

from pathlib import Path
from typing import Annotated

import typer

from benchmarks.commands.options import output_folder


def aa_tests(
    kind: Annotated[str, typer.Argument(help="policy: fresh draws of one policy; recipe: other training seeds.")],
    overrides: Annotated[list[str] | None, typer.Argument(help="Settings of all campaigns, KEY=VALUE.")] = None,
    campaigns: Annotated[int, typer.Option(min=1, help="A/A campaigns.")] = 59,
    replicates: Annotated[int, typer.Option(min=1, help="Trainings of the recipe that its campaigns divide.")] = 36,
    out: Annotated[Path, typer.Option(help="Folder of pools and table.")] = Path("scratch/benchmarks/aa-tests"),
) -> None:
    """Campaigns in which nothing is better, so that every promotion is false."""
    from benchmarks.aa_tests.bench import read_aa_tests, run_aa_tests
    from benchmarks.aa_tests.report import aa_table
    from flows.workspace.worktree import project_root

    output_folder(out)
    run_aa_tests(project_root(), kind, overrides or [], campaigns, replicates, out)
    every = read_aa_tests(out)
    (out / "table.md").write_text(aa_table(every), encoding="utf-8")
    print(aa_table(every))
    print(f"written to {out}")
