"""`speed`, `sandbox`, `pairs` and `serving`: replays and diagnosis, grading, comparison of versions, a server."""

import os
from typing import Annotated

import typer

from benchmarks.commands.options import whole_numbers


def speed(rows: Annotated[str, typer.Option(help="Numbers of attempts.")] = "20000,100000") -> None:
    """Backtests and diagnosis beside named peers that do the same work: CPU seconds and their ratio."""
    _use_one_thread()
    from benchmarks.speed.backtests import measure_backtests
    from benchmarks.speed.diagnosis import measure_diagnosis
    from benchmarks.speed.measure import speed_table

    counts = whole_numbers("--rows", rows, (160, 1_000_000))
    print(speed_table(one for measure in (measure_backtests, measure_diagnosis) for n in counts for one in measure(n)))


def _use_one_thread() -> None:
    """Hold numeric libraries to one thread; they read this when they are imported."""
    os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))


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
