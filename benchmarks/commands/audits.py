"""`audits`: what audits of several sizes find of what a grader pays wrongly, before anything is trained."""

import json
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.commands.options import output_folder, whole_numbers

WORLDS = "math-lottery,math-paid_brevity,math-noisy_proxy,math-honest,math-quirk,math-outside"


def audits(
    worlds: Annotated[str, typer.Option(help="Worlds of lopo that have an audit, separated by commas.")] = WORLDS,
    seeds: Annotated[str, typer.Option(help="Campaign seeds, separated by commas.")] = "0,1,2,3,4",
    rows: Annotated[str, typer.Option(help="Attempts of an audit, separated by commas.")] = "64,256,1024",
    out: Annotated[Path | None, typer.Option(help="Folder of problem sets, table and figure.")] = None,
) -> None:
    """Corrections that audits of a base policy's attempts find, judged on attempts at other problems."""
    from benchmarks.lopo.audits import run_audits
    from benchmarks.lopo.bench import LopoPlan
    from benchmarks.lopo.worlds import WORLDS, choose
    from benchmarks.reports.audits import audits_report
    from benchmarks.reports.audits_figure import audits_figure
    from evotrainer.config.validation import RANGES
    from flows.workspace.worktree import project_root

    names = choose("world", worlds.split(","), list(WORLDS))
    chosen, sizes = whole_numbers("--seeds", seeds, RANGES["seed"]), whole_numbers("--rows", rows, (8, 100_000))
    folder = output_folder(out or Path("scratch/benchmarks/audits")).resolve()
    found = []
    for one in run_audits(project_root(), LopoPlan(folder, tuple(names), ("E",), tuple(chosen)), sizes):
        found.append(one)
        values = [each.model_dump(mode="json") for each in found]
        (folder / "results.json").write_text(json.dumps(values, indent=1) + "\n", encoding="utf-8")
        (folder / "table.md").write_text(audits_report(found), encoding="utf-8")
    (folder / "figure.png").write_bytes(audits_figure(found))
    print(audits_report(found))
    print(f"written to {folder}")
