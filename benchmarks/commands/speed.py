"""`sandbox`, `pairs` and `serving`: how fast the sandbox grades, versions are compared, and a server samples."""

from typing import Annotated

import typer

from benchmarks.commands.options import whole_numbers


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
