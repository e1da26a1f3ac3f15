"""`lopo`: leave one pathology out of the harness, and see whether an evolving one finds it and gains by it."""

import json
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.commands.options import output_folder, whole_numbers

ALL_WORLDS = (
    "math-lottery,math-paid_length,math-paid_brevity,math-noisy_proxy,math-hot_rate,code-weak_tests,swe-open_history"
)
CONTROLS = "math-honest,math-quirk,math-outside"
ALL_ARMS = "S,E,P,O,H,B,F"


def lopo(
    worlds: Annotated[str, typer.Option(help=f"Separated by commas; also {CONTROLS}.")] = ALL_WORLDS,
    arms: Annotated[str, typer.Option(help="Whose campaigns are compared.")] = ALL_ARMS,
    seeds: Annotated[str, typer.Option(help="Campaign seeds, separated by commas.")] = "0,1,2",
    full: Annotated[bool, typer.Option("--full", help="Eight versions a campaign in place of three.")] = False,
    out: Annotated[Path | None, typer.Option(help="Folder of campaigns, tables and figure.")] = None,
) -> None:
    """Evolving against static harnesses that lack one pathology's diagnostics, with an oracle."""
    from benchmarks.lopo.bench import LopoPlan, run_lopo
    from benchmarks.lopo.worlds import ARMS, WORLDS, choose
    from benchmarks.reports.lopo import lopo_report, lopo_values
    from benchmarks.reports.lopo_figure import lopo_figure
    from evotrainer.config.validation import RANGES
    from flows.workspace.worktree import project_root

    names, letters = choose("world", worlds.split(","), list(WORLDS)), choose("arm", arms.split(","), list(ARMS))
    chosen = whole_numbers("--seeds", seeds, RANGES["seed"])
    scale = "full" if full else "quick"
    folder = output_folder(out or Path("scratch/benchmarks") / f"lopo-{scale}").resolve()
    runs = []
    for run in run_lopo(project_root(), LopoPlan(folder, tuple(names), tuple(letters), tuple(chosen), scale)):
        runs.append(run)
        (folder / "results.json").write_text(json.dumps(lopo_values(runs), indent=1) + "\n", encoding="utf-8")
        (folder / "table.md").write_text(lopo_report(runs), encoding="utf-8")
        (folder / "figure.png").write_bytes(lopo_figure(runs))
    print(lopo_report(runs))
    print(f"written to {folder}")
