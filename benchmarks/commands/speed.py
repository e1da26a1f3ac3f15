"""`speed` and `fixed-cost`: replays, diagnosis and rollouts beside peers, and what the pipeline adds to a version."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from benchmarks.commands.options import whole_numbers

if TYPE_CHECKING:
    from benchmarks.speed.measure import Measure


def speed(
    rows: Annotated[str, typer.Option(help="Numbers of attempts.")] = "20000,100000",
    policy: Annotated[Path | None, typer.Option(help="Embedded policy: campaigns/demo/policies/tiny_math")] = None,
    domain: Annotated[str, typer.Option(help="Domain of the policy.")] = "math",
    episodes: Annotated[str, typer.Option(help="Numbers of episodes sampled at a time.")] = "64,256",
) -> None:
    """Backtests and diagnosis, and rollouts of a policy. Beside peers, in CPU seconds."""
    _use_one_thread()
    from benchmarks.speed.evidence import measure_evidence
    from benchmarks.speed.measure import speed_table

    counts = whole_numbers("--rows", rows, (160, 1_000_000))
    sampled = whole_numbers("--episodes", episodes, (1, 4096))

    def measured() -> "Iterator[Measure]":
        for count in counts:
            yield from measure_evidence(count)
        if policy is not None:
            from benchmarks.speed.rollout import measure_rollouts
            from flows.workspace.worktree import project_root

            yield from measure_rollouts(project_root(), policy, domain, sampled)

    print(speed_table(measured()))


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
