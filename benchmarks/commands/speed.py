"""`speed` and `fixed-cost`: replays and diagnosis beside peers, and what the pipeline adds to a version."""

import os
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.commands.options import whole_numbers


def speed(
    rows: Annotated[str, typer.Option(help="Numbers of attempts.")] = "20000,100000",
    policy: Annotated[
        Path | None, typer.Option(help="A Hugging Face directory: measure its rollouts and steps.")
    ] = None,
    tokens: Annotated[int, typer.Option(min=2, help="Longest answer of --policy.")] = 48,
    precision: Annotated[str, typer.Option(help="What --policy runs in: float32 or bfloat16.")] = "float32",
) -> None:
    """Backtests and diagnosis of simulated attempts, or a policy of one's own, beside peers, in CPU seconds."""
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
