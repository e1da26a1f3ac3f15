"""`coevolution`: campaigns with an evolving and a static harness, and without diagnosis, on the same seeds."""

import json
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.commands.options import output_folder, whole_numbers

QUICK_WORLDS, QUICK_SEEDS = "math,math-length_pay", "0,1,2"
ALL_WORLDS, ALL_SEEDS = "math,math-length_pay,math-hot_rate,code,code-weak_tests,swe,swe-open_history", "0,1,2,3,4"
ALL_ARMS = "evolving,static,hillclimb,shuffled,random"


def coevolution(
    overrides: Annotated[list[str] | None, typer.Argument(help="Settings of all campaigns, KEY=VALUE.")] = None,
    worlds: Annotated[str, typer.Option(help=f"Separated by commas; all: {ALL_WORLDS}.")] = "",
    arms: Annotated[str, typer.Option(help="Whose campaigns are compared.")] = ALL_ARMS,
    seeds: Annotated[str, typer.Option(help=f"Campaign seeds, separated by commas; else {ALL_SEEDS}.")] = "",
    quick: Annotated[
        bool, typer.Option("--quick", help=f"Short campaigns, by default {QUICK_WORLDS} on seeds {QUICK_SEEDS}.")
    ] = False,
    workers: Annotated[int, typer.Option(min=1, help="Worlds and seeds at a time, one process each.")] = 1,
    out: Annotated[Path | None, typer.Option(help="Folder of campaigns, tables and figure.")] = None,
) -> None:
    """Evolving, static and score-only campaigns on the same seeds, with and without traps."""
    from benchmarks.coevolution.bench import Plan, run_bench
    from benchmarks.reports.coevolution import coevolution_report, coevolution_values
    from benchmarks.reports.coevolution_figure import coevolution_figure
    from evotrainer.config.validation import RANGES
    from flows.workspace.worktree import project_root

    scale = "quick" if quick else "full"
    names = (worlds or (QUICK_WORLDS if quick else ALL_WORLDS)).split(",")
    chosen = whole_numbers("--seeds", seeds or (QUICK_SEEDS if quick else ALL_SEEDS), RANGES["seed"])
    folder = output_folder(out or Path("scratch/benchmarks") / f"coevolution-{scale}").resolve()
    plan = Plan(folder, tuple(names), tuple(arms.split(",")), tuple(chosen), scale, tuple(overrides or []))
    runs = []
    for run in run_bench(project_root(), plan, workers):
        runs.append(run)
        runs.sort(key=lambda run: (plan.worlds.index(run.world), plan.arms.index(run.arm), run.seed))
        (folder / "results.json").write_text(json.dumps(coevolution_values(runs), indent=1) + "\n", encoding="utf-8")
        (folder / "table.md").write_text(coevolution_report(runs), encoding="utf-8")
        (folder / "figure.png").write_bytes(coevolution_figure(runs))
    print(coevolution_report(runs))
    print(f"written to {folder}")
