"""`sandbox` and `pairs`: how fast the sandbox grades, and how fast versions are compared."""

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
