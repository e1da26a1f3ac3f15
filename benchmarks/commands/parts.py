"""Commands that measure one part: gates, detectors, graders, speed, memory on a device, and faults of a night."""

import os
import shlex
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


def failure_modes(
    modes: Annotated[list[str] | None, typer.Argument(help="Failure modes; all of them where none is named.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Few rollouts, cases and controls: about a minute.")] = False,
    seed: Annotated[int, typer.Option(min=0, help="Another one: attempts, runs, controls and cases drawn anew.")] = 0,
    out: Annotated[Path | None, typer.Option(help="Folder of the evidence, results and table.")] = None,
) -> None:
    """Recall and false alarms of every detector, on failure modes injected in real rollouts."""
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


def grader(
    code: Annotated[int, typer.Option(min=1, help="Problems with a function.")] = 20,
    swe: Annotated[int, typer.Option(min=1, help="Repositories, under each runner.")] = 20,
    backend: Annotated[str, typer.Option(help="namespaces or landlock; by default the first that works.")] = "",
) -> None:
    """Honest answers that are rejected or flagged, and cheats that are paid."""
    from benchmarks.grader.bench import main
    from evotrainer.errors import ConfigError
    from evotrainer.sandbox import sandbox
    from flows.workspace.worktree import project_root

    if backend and backend not in sandbox.BACKENDS:
        raise ConfigError(f"--backend {backend} is unknown: choose one of {', '.join(sandbox.BACKENDS)}")
    if backend:
        sandbox.BACKENDS = (backend,)
    main(project_root(), code, swe)


def speed(
    rows: Annotated[str, typer.Option(help="Numbers of attempts.")] = "20000,100000",
    policy: Annotated[
        Path | None, typer.Option(help="A Hugging Face directory: measure its rollouts and steps.")
    ] = None,
    tokens: Annotated[int, typer.Option(min=2, help="Longest answer of --policy.")] = 48,
    precision: Annotated[str, typer.Option(help="What --policy runs in: float32 or bfloat16.")] = "float32",
) -> None:
    """Backtests of simulated attempts, or a policy of one's own, beside peers, in CPU seconds."""
    _use_one_thread()
    if policy is not None:
        _speed_of(policy, tokens, precision)
        return
    from benchmarks.speed.evidence import measure_evidence
    from benchmarks.speed.measure import speed_table

    counts = whole_numbers("--rows", rows, (160, 1_000_000))
    print(speed_table(measure for count in counts for measure in measure_evidence(count)))


def _speed_of(policy: Path, tokens: int, precision: str) -> None:
    from benchmarks.speed.measure import speed_table
    from benchmarks.speed.policy import measure_policy, peak_memory
    from evotrainer.engines.policy import prepare_torch

    prepare_torch(1)
    print(speed_table(measure_policy(policy, tokens, precision)))
    print(f"peak of a process with a step and its reference policy: {peak_memory(policy, tokens, precision):.2f} GB")


def fixed_cost(
    settings: Annotated[list[str] | None, typer.Argument(help="Settings of the campaigns, KEY=VALUE.")] = None,
    folder: Annotated[Path, typer.Option(help="A new folder, for a clone and its campaigns.")] = Path("build/fixed"),
) -> None:
    """CPU seconds that the pipeline adds to a version, beside the same stages in one process."""
    _use_one_thread()
    from benchmarks.speed.fixed_cost import TRIVIAL, measure_fixed_cost
    from flows.workspace.worktree import project_root

    found = measure_fixed_cost(
        project_root(), folder.resolve(), settings or TRIVIAL, lambda line: print(line, flush=True)
    )
    print(f"pipeline: {found.pipeline:.1f}")
    print(f"stages: {found.stages:.1f}")
    print(f"added: {found.added:.1f}")
    print(f"same_verdicts: {found.is_same}")
    raise typer.Exit(0 if found.is_same else 1)


def _use_one_thread() -> None:
    """Hold numeric libraries to one thread; they read this when they are imported."""
    os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))


def one_gpu(
    folder: Annotated[Path, typer.Option(help="Where random models and results lie.")] = Path("build/one_gpu"),
    model: Annotated[str, typer.Option(help="Size of the model: 0.6b, 1.7b or 4b.")] = "0.6b",
    settings: Annotated[str, typer.Option(help="Names of settings, by comma.")] = "full,lora",
    problems: Annotated[int, typer.Option(min=1, help="Problems of a step.")] = 8,
    group: Annotated[int, typer.Option(min=2, help="Attempts at each.")] = 16,
    tokens: Annotated[int, typer.Option(min=1, help="Sampled tokens of an attempt.")] = 256,
    steps: Annotated[int, typer.Option(min=2, help="Training steps; the first is not timed.")] = 3,
    vllm_python: Annotated[str, typer.Option(help="Interpreter with vLLM.")] = ".engines/vllm/bin/python",
    vllm_share: Annotated[float, typer.Option(min=0.01, max=1, help="Share of GPU memory of a vLLM server.")] = 0.3,
    vllm_arguments: Annotated[str, typer.Option(help="Further arguments of a vLLM server, as a shell has them.")] = "",
) -> None:
    """Tokens a second, use and memory of training steps on one GPU."""
    from benchmarks.model_steps.bench import SETTINGS, main
    from benchmarks.model_steps.random_model import SHAPES
    from benchmarks.model_steps.scale import Scale
    from evotrainer.config.engines import VllmConfig
    from evotrainer.config.limits import find

    names = settings.split(",")
    for name in names:
        find(SETTINGS, "--settings", name)
    find(SHAPES, "--model", model)
    served = VllmConfig(python=vllm_python, gpu_memory_share=vllm_share, arguments=shlex.split(vllm_arguments))
    ended = main(folder.resolve(), Scale(model, problems, group, tokens, steps), names, served)
    raise typer.Exit(0 if ended else 1)


def faults(
    names: Annotated[list[str] | None, typer.Argument(help="Names of faults; all by default.")] = None,
    seed: Annotated[int, typer.Option(help="Of the moments that are drawn.")] = 0,
    suspended: Annotated[float, typer.Option(min=1, help="Seconds of the suspension.")] = 90.0,
    folder: Annotated[Path, typer.Option(help="A folder, for clones and their campaigns.")] = Path("build/faults"),
) -> None:
    """Kills, full disks, lost servers and the like: how a campaign goes on, and whether its end is the same."""
    from benchmarks.faults.bench import run_faults
    from benchmarks.faults.rows import FAULTS
    from evotrainer.errors import ConfigError
    from flows.workspace.worktree import project_root

    if unknown := [name for name in names or () if name not in FAULTS]:
        raise ConfigError(f"no fault is called {', '.join(unknown)}: choose of {', '.join(FAULTS)}")
    raise typer.Exit(0 if run_faults(project_root(), folder.resolve(), names or (), seed, suspended) else 1)
