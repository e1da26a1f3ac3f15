"""`failure-modes`: what every detector finds, misses and reports falsely on injected faults."""

from pathlib import Path
from typing import Annotated

import typer

from benchmarks.commands.options import output_folder


def failure_modes(
    modes: Annotated[list[str] | None, typer.Argument(help="Failure modes; all of them where none is named.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Few rollouts, cases and controls: about a minute.")] = False,
    seed: Annotated[int, typer.Option(min=0, help="Another one: attempts, runs, controls and cases drawn anew.")] = 0,
    out: Annotated[Path | None, typer.Option(help="Folder of the evidence, results and table.")] = None,
) -> None:
    """Recall, false alarms and cost of every detector, on failure modes injected in real rollouts."""
    from benchmarks.fault_injection.bench import FULL, QUICK, measure_detectors
    from benchmarks.fault_injection.report import failure_mode_tables
    from flows.workspace.worktree import project_root

    name = f"failure-modes{'-quick' if quick else ''}{f'-seed-{seed}' if seed else ''}"
    folder = out or Path("scratch/benchmarks") / name
    output_folder(folder)
    size = QUICK if quick else FULL
    recalls, alarms = measure_detectors(
        project_root(), folder, size, modes or [], lambda line: print(line, flush=True), seed
    )
    (folder / "table.md").write_text(failure_mode_tables(recalls, alarms), encoding="utf-8")
    print(failure_mode_tables(recalls, alarms))
    print(f"written to {folder}")
