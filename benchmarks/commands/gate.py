"""`gate`: simulated campaigns under the promotion gates and under the rules they replace."""

from pathlib import Path
from typing import Annotated

import typer

from benchmarks.commands.options import output_folder, whole_numbers

DEFAULT_PROBLEMS = 175


def gate(
    problems: Annotated[str, typer.Option(help="Numbers of problems for power.")] = "77,175,500,1000",
    campaigns: Annotated[int, typer.Option(min=1, help="Simulated campaigns.")] = 2000,
    versions: Annotated[
        int, typer.Option(min=1, help="Versions of a campaign, among which the error budget is divided.")
    ] = 20,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the simulation.")] = 0,
    out: Annotated[Path, typer.Option(help="Folder of the tables.")] = Path("scratch/benchmarks/gate"),
) -> None:
    """Simulated campaigns under the promotion gates and under the rules they replace."""
    from benchmarks.gate_simulation.report import gate_tables
    from benchmarks.gate_simulation.score_models import DEFAULT_BETA, beta_model
    from benchmarks.gate_simulation.simulation import BenchSettings, run_bench
    from evotrainer.config.validation import RANGES

    counts = whole_numbers("--problems", problems, RANGES["evaluate.max_problems"])
    output_folder(out)
    model, sizes = beta_model(*DEFAULT_BETA, DEFAULT_PROBLEMS), [beta_model(*DEFAULT_BETA, count) for count in counts]
    print(f"problems from {model.name}", flush=True)
    found = run_bench(model, sizes, BenchSettings(campaigns, versions, seed=seed), lambda line: print(line, flush=True))
    out.mkdir(parents=True, exist_ok=True)
    (out / "table.md").write_text(gate_tables(found), encoding="utf-8")
    print(gate_tables(found))
    print(f"written to {out}")
