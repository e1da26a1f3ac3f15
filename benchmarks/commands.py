"""`evotrainer bench`: long measurements that the documentation quotes; each is resumed by the same command."""

from pathlib import Path
from typing import Annotated

import typer

from benchmarks.coevolution.command import coevolution
from cli.options import output_folder, whole_numbers

DEFAULT_PROBLEMS = 175

app = typer.Typer(no_args_is_help=True, help="Measure what the documentation claims.")


app.command()(coevolution)


@app.callback()
def group() -> None:
    """Keep the name of the measurement a word of its own."""


@app.command()
def certificate(
    overrides: Annotated[list[str] | None, typer.Argument(help="Settings of all campaigns, KEY=VALUE.")] = None,
    seeds: Annotated[str, typer.Option(help="Campaign seeds, separated by commas.")] = "0,1,2,3,4",
    arms: Annotated[str, typer.Option(help="evotrainer, random, hillclimb.")] = "evotrainer,random,hillclimb",
    out: Annotated[Path, typer.Option(help="Folder of the table and the figure.")] = Path("scratch/bench/certificate"),
) -> None:
    """Certificates of the search, the random proposer and hill climbing on the same seeds."""
    from benchmarks.leak import run_certificates
    from benchmarks.reports.certificates import certificates_figure, certificates_table
    from evotrainer.config.validation import RANGES
    from flows.workspace.worktree import project_root

    chosen, runs = whole_numbers("--seeds", seeds, RANGES["seed"]), []
    output_folder(out)
    for run in run_certificates(project_root(), chosen, arms.split(","), overrides or []):
        runs.append(run)
        out.mkdir(parents=True, exist_ok=True)
        (out / "runs.jsonl").write_text("".join(f"{run.model_dump_json()}\n" for run in runs))
        (out / "table.md").write_text(certificates_table(runs))
        (out / "figure.png").write_bytes(certificates_figure(runs))
    print(certificates_table(runs))
    print(f"written to {out}")


@app.command()
def leak(
    overrides: Annotated[list[str] | None, typer.Argument(help="Settings of both campaigns, KEY=VALUE.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Campaign seed.")] = 0,
    out: Annotated[Path, typer.Option(help="Folder of the table and the figure.")] = Path("scratch/bench/leak"),
) -> None:
    """A guarded and a score-only campaign on repositories whose history holds the fix."""
    from benchmarks.leak import run_leak
    from benchmarks.reports.leak import leak_figure, leak_table, read_leak_campaign
    from flows.workspace.worktree import project_root

    output_folder(out)
    campaigns = [read_leak_campaign(arm, files) for arm, files in run_leak(project_root(), seed, overrides or [])]
    out.mkdir(parents=True, exist_ok=True)
    (out / "table.md").write_text(leak_table(campaigns), encoding="utf-8")
    (out / "figure.png").write_bytes(leak_figure(campaigns))
    print(leak_table(campaigns))
    print(f"written to {out}")


@app.command()
def gate(
    rows: Annotated[
        Path | None, typer.Option(help="An evaluation to fit: validation/ of a version, .jsonl, .parquet.")
    ] = None,
    problems: Annotated[str, typer.Option(help="Numbers of problems for power.")] = "77,175,500,1000",
    campaigns: Annotated[int, typer.Option(min=1, help="Simulated campaigns.")] = 2000,
    versions: Annotated[
        int, typer.Option(min=1, help="Versions of a campaign, among which the error budget is divided.")
    ] = 20,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the simulation.")] = 0,
    out: Annotated[Path, typer.Option(help="Folder of the tables and the figure.")] = Path("scratch/bench/gate"),
) -> None:
    """Simulated campaigns under the promotion gates and under the rules they replace."""
    from benchmarks.gate_simulation.score_models import DEFAULT_BETA, beta_model, fit_beta, fitted_model, read_table
    from benchmarks.gate_simulation.simulation import BenchSettings, run_bench
    from benchmarks.reports.gates import gate_figure, gate_tables
    from evotrainer.config.validation import RANGES

    counts = whole_numbers("--problems", problems, RANGES["evaluate.max_problems"])
    output_folder(out)
    table = read_table(rows) if rows else None
    beta = fit_beta(table) if table else DEFAULT_BETA
    model = fitted_model(table, str(rows)) if table else beta_model(*beta, DEFAULT_PROBLEMS)
    sizes = [beta_model(*beta, count) for count in counts]
    print(f"problems from {model.name}; power from Beta({beta[0]:.2f}, {beta[1]:.2f})", flush=True)
    found = run_bench(model, sizes, BenchSettings(campaigns, versions, seed=seed), lambda line: print(line, flush=True))
    out.mkdir(parents=True, exist_ok=True)
    (out / "table.md").write_text(gate_tables(found), encoding="utf-8")
    (out / "figure.png").write_bytes(gate_figure(found))
    print(gate_tables(found))
    print(f"written to {out}")


@app.command()
def pathologies(
    modes: Annotated[list[str] | None, typer.Argument(help="Failure modes; all of them where none is named.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Few rollouts, cases and controls: about a minute.")] = False,
    seed: Annotated[int, typer.Option(min=0, help="Another one: attempts, runs, controls and cases drawn anew.")] = 0,
    out: Annotated[Path | None, typer.Option(help="Folder of the evidence, results, table and figure.")] = None,
) -> None:
    """Recall, false alarms and cost of every detector, on failure modes planted in real rollouts."""
    from benchmarks.fault_injection.bench import FULL, QUICK, run_pathologies
    from benchmarks.reports.failure_modes import pathology_figure, pathology_tables
    from flows.workspace.worktree import project_root

    name = f"pathologies{'-quick' if quick else ''}{f'-seed-{seed}' if seed else ''}"
    folder = out or Path("scratch/bench") / name
    output_folder(folder)
    size = QUICK if quick else FULL
    recalls, alarms = run_pathologies(
        project_root(), folder, size, modes or [], lambda line: print(line, flush=True), seed
    )
    (folder / "table.md").write_text(pathology_tables(recalls, alarms), encoding="utf-8")
    (folder / "figure.png").write_bytes(pathology_figure(recalls, alarms))
    print(pathology_tables(recalls, alarms))
    print(f"written to {folder}")


@app.command()
def sandbox(
    executions: Annotated[int, typer.Option(min=5, help="Programs graded by each backend.")] = 1000,
    workers: Annotated[int, typer.Option(min=1, help="Executions at a time.")] = 2,
) -> None:
    """Programs graded a second in the sandbox, beside unprotected processes."""
    from benchmarks.sandbox_overhead import main

    main(executions, workers)


@app.command()
def pairs(
    problems: Annotated[str, typer.Option(help="Numbers of problems.")] = "77,175,400,1000,2000",
    versions: Annotated[int, typer.Option(min=2, help="Versions compared, each with each.")] = 50,
    samples: Annotated[int, typer.Option(min=2, help="Bootstrap resamples.")] = 10_000,
) -> None:
    """All pairs of versions in one shared resample against scipy pair by pair."""
    from benchmarks.reports.pair_speed import measure_pairs, pairs_table
    from evotrainer.config.validation import RANGES

    counts = whole_numbers("--problems", problems, RANGES["evaluate.max_problems"])
    print(pairs_table([measure_pairs(count, versions, samples) for count in counts]))


@app.command("null")
def null_campaigns(
    kind: Annotated[str, typer.Argument(help="policy: fresh draws of one policy; recipe: other training seeds.")],
    overrides: Annotated[list[str] | None, typer.Argument(help="Settings of all campaigns, KEY=VALUE.")] = None,
    campaigns: Annotated[int, typer.Option(min=1, help="Null campaigns.")] = 59,
    replicates: Annotated[int, typer.Option(min=1, help="Trainings of the recipe that its campaigns divide.")] = 36,
    out: Annotated[Path, typer.Option(help="Folder of pools, table and figure.")] = Path("scratch/bench/null"),
) -> None:
    """Real null campaigns: nothing is better, and every promotion is false."""
    from benchmarks.aa_tests.bench import read_nulls, run_nulls
    from benchmarks.reports.aa_tests import nulls_figure, nulls_table
    from flows.workspace.worktree import project_root

    output_folder(out)
    run_nulls(project_root(), kind, overrides or [], campaigns, replicates, out)
    every = read_nulls(out)
    (out / "table.md").write_text(nulls_table(every), encoding="utf-8")
    (out / "figure.png").write_bytes(nulls_figure(every))
    print(nulls_table(every))
    print(f"written to {out}")
