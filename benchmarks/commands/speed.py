"""`speed`, `sandbox`, `pairs` and `serving`: replays, diagnosis and a policy, grading, versions compared, a server."""

import os
from collections.abc import Iterator, Sequence
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
    solutions: Annotated[int, typer.Option(min=4, help="Programs graded, and functions.")] = 40,
    scale: Annotated[bool, typer.Option("--scale", help="Growth with attempts and versions, and memory.")] = False,
    plot: Annotated[Path | None, typer.Option(help="With --scale: where the plot goes.")] = None,
) -> None:
    """Backtests, queries, diagnosis, grading; of a policy rollouts and a GRPO step. Beside peers, in CPU seconds."""
    _use_one_thread()
    if scale:
        _measure_scale(plot)
        return
    from benchmarks.speed.backtests import measure_backtests
    from benchmarks.speed.diagnosis import measure_diagnosis
    from benchmarks.speed.grading import measure_grading
    from benchmarks.speed.measure import speed_table
    from benchmarks.speed.queries import measure_queries

    counts = whole_numbers("--rows", rows, (160, 1_000_000))
    sampled = whole_numbers("--episodes", episodes, (1, 4096))

    def measured() -> "Iterator[Measure]":
        for measure in (measure_backtests, measure_queries, measure_diagnosis):
            for count in counts:
                yield from measure(count)
        yield from measure_grading(solutions)
        if policy is not None:
            yield from _measure_policy(policy, domain, sampled)

    print(speed_table(measured()))


def _measure_scale(plot: Path | None) -> None:
    from benchmarks.speed.growth.bench import Sizes, measure_growth
    from benchmarks.speed.growth.plot import plot_growth
    from benchmarks.speed.growth.record import growth_table

    found = list(measure_growth(Sizes()))
    print(growth_table(found))
    if plot is not None:
        plot_growth(found, plot)


def _measure_policy(policy: Path, domain: str, episodes: Sequence[int]) -> "Iterator[Measure]":
    """Give the measures of rollouts and, where its episodes are of one turn, of a training step."""
    from benchmarks.speed.rollout import measure_rollouts
    from benchmarks.speed.training import measure_step
    from evotrainer.domains import find_domain
    from flows.workspace.worktree import project_root

    yield from measure_rollouts(project_root(), policy, domain, episodes)
    if not find_domain(domain).tools():
        yield measure_step(project_root(), policy, domain)


def correction(
    policy: Annotated[Path, typer.Option(help="Embedded policy: campaigns/demo/policies/tiny_math")],
) -> None:
    """Loss and gradient of each off-policy correction beside TRL's, on the same attempts."""
    _use_one_thread()
    from benchmarks.speed.correction import compare_corrections, correction_table
    from flows.workspace.worktree import project_root

    print(correction_table(compare_corrections(project_root(), policy)))


def overlap(
    policy: Annotated[Path, typer.Option(help="Embedded policy: campaigns/demo/policies/tiny_math")],
    steps: Annotated[int, typer.Option(min=3, max=1000, help="Training steps of a run.")] = 12,
    repeats: Annotated[int, typer.Option(min=1, help="Runs of each setting, in turns.")] = 3,
) -> None:
    """Seconds of a training with rollouts ahead of it, beside one that takes turns, by the latency of a tool."""
    _use_one_thread()
    from benchmarks.speed.overlap import measure_overlap, overlap_table
    from flows.workspace.worktree import project_root

    print(overlap_table(measure_overlap(project_root(), policy, steps, repeats)))


def _use_one_thread() -> None:
    """Hold numeric libraries to one thread; they read this when they are imported."""
    os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))


def fixed_cost(
    settings: Annotated[list[str] | None, typer.Argument(help="Settings of the campaigns, KEY=VALUE.")] = None,
    folder: Annotated[Path, typer.Option(help="A new folder, for a clone and its campaigns.")] = Path("build/fixed"),
) -> None:
    """CPU seconds that the pipeline adds to a version, beside the same stages in one process."""
    _use_one_thread()
    from benchmarks.fixed_cost import TRIVIAL, measure_fixed_cost
    from flows.workspace.worktree import project_root

    found = measure_fixed_cost(
        project_root(), folder.resolve(), settings or TRIVIAL, lambda line: print(line, flush=True)
    )
    print(f"pipeline: {found.pipeline:.1f}")
    print(f"stages: {found.stages:.1f}")
    print(f"added: {found.added:.1f}")
    print(f"same_verdicts: {found.is_same}")
    raise typer.Exit(0 if found.is_same else 1)


def sandbox(
    executions: Annotated[int, typer.Option(min=5, help="Programs graded by each backend.")] = 1000,
    workers: Annotated[int, typer.Option(min=1, help="Executions at a time.")] = 2,
) -> None:
    """Programs graded a second in the sandbox, beside unprotected processes."""
    from benchmarks.sandbox_overhead import main

    main(executions, workers)


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


def serving(
    python: Annotated[str, typer.Option(help="Interpreter of an environment with vLLM.")] = ".engines/vllm/bin/python",
    hidden: Annotated[int, typer.Option(min=32, help="Width of the policy, a multiple of 32.")] = 256,
    layers: Annotated[int, typer.Option(min=1, help="Layers of the policy.")] = 4,
    batches: Annotated[str, typer.Option(help="Numbers of prompts sampled at a time.")] = "16,64,256",
    tokens: Annotated[int, typer.Option(min=1, max=900, help="Tokens sampled a prompt, at most.")] = 128,
    threads: Annotated[int, typer.Option(min=1, help="Threads of torch in this process.")] = 1,
) -> None:
    """Tokens a second of a vLLM server beside the engine of torch, on the same prompts."""
    from benchmarks.serving_speed import main
    from evotrainer.config.validation import RANGES

    main(
        python, hidden, layers, whole_numbers("--batches", batches, RANGES["engine.vllm.max_requests"]), tokens, threads
    )
