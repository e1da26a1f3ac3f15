"""Leave one pathology out: does an evolving harness recover what the missing diagnostics would have been worth?

Arms are compared within a seed. A world counts where the oracle or the full harness leads S by VOID or more; else it is
reported as void. The recovered share is (E - S) / (F - S), or / (O - S) where no diagnostic knows the pathology.
"""

from collections.abc import Sequence
from typing import Any

from benchmarks.coevolution.records import CoevolutionRun
from benchmarks.paired_seeds import SeedDifference, seed_difference, seeds_for_power
from benchmarks.reports.markdown import markdown_table

PAIRS = (
    ("E", "S", "evolving, against the same harness that does not"),
    ("O", "S", "room: paid by correctness alone"),
    ("F", "S", "room: with the diagnostics that were taken out"),
    ("E", "H", "evolving, against the score alone"),
)
"""(arm, arm, what their difference is worth)."""
VOID = 5.0
"""Percentage points of room below which a world says nothing."""


def lopo_report(runs: Sequence[CoevolutionRun]) -> str:
    """Return the Markdown of the bench: means, paired differences, recovered shares, all campaigns."""
    return "\n".join([_means(runs), _differences(runs), _campaigns(runs)])


def lopo_values(runs: Sequence[CoevolutionRun]) -> dict[str, Any]:
    """Return campaigns and differences as plain values, for results.json."""
    found = [(world, one, other, difference(runs, world, one, other)) for world, one, other in compared(runs)]
    return {
        "runs": [run.model_dump(mode="json") for run in runs],
        "differences": [
            {
                "world": world,
                "arm": one,
                "other": other,
                "num_seeds": seen.num_seeds,
                "mean": seen.mean,
                "low": seen.low,
                "high": seen.high,
            }
            for world, one, other, seen in found
        ],
        "recovered": {world: recovered(runs, world) for world in worlds_of(runs)},
    }


def worlds_of(runs: Sequence[CoevolutionRun]) -> list[str]:
    """Return the worlds that were run, in the order of their first campaign."""
    return list(dict.fromkeys(run.world for run in runs))


def scores(runs: Sequence[CoevolutionRun], world: str, arm: str) -> dict[int, float]:
    """Return {seed: honest test score in percent} of an arm in a world."""
    return {run.seed: 100 * run.score for run in runs if run.world == world and run.arm == arm}


def compared(runs: Sequence[CoevolutionRun]) -> list[tuple[str, str, str]]:
    """Return (world, arm, other) of the pairs that have a seed in common."""
    return [
        (world, one, other)
        for world in worlds_of(runs)
        for one, other, _ in PAIRS
        if scores(runs, world, one).keys() & scores(runs, world, other).keys()
    ]


def difference(runs: Sequence[CoevolutionRun], world: str, one: str, other: str) -> SeedDifference:
    """Return one arm minus another in a world, in percentage points, paired by seed."""
    return seed_difference(scores(runs, world, one), scores(runs, world, other))


def room(runs: Sequence[CoevolutionRun], world: str) -> float | None:
    """Return what S lacks: the larger of F - S and O - S; None where neither was run."""
    found = [difference(runs, *pair).mean for pair in compared(runs) if pair in ((world, "F", "S"), (world, "O", "S"))]
    return max(found) if found else None


def recovered(runs: Sequence[CoevolutionRun], world: str) -> float | None:
    """Return the share of the room that E recovers; None for a void world."""
    there = room(runs, world)
    if there is None or there < VOID or (world, "E", "S") not in compared(runs):
        return None
    return difference(runs, world, "E", "S").mean / there


def _means(runs: Sequence[CoevolutionRun]) -> str:
    rows = []
    for world in worlds_of(runs):
        there, share = room(runs, world), recovered(runs, world)
        for arm in dict.fromkeys(run.arm for run in runs if run.world == world):
            own = [run for run in runs if run.world == world and run.arm == arm]
            last = f"{there:.1f}" if there is not None else ""
            kept = "" if share is None else f"{share:.2f}"
            cells = [
                world,
                arm,
                str(len(own)),
                _percent([run.base_score for run in own]),
                _percent([run.baseline_score for run in own]),
                _percent([run.score for run in own]),
                str(sum(len(run.promotions) for run in own)),
                last,
                kept or "void",
            ]
            rows.append(cells)
    return markdown_table("world | arm | seeds | v0 | own recipe | incumbent | promoted | room | recovered by E", rows)


def _differences(runs: Sequence[CoevolutionRun]) -> str:
    rows = []
    for world, one, other in compared(runs):
        found = difference(runs, world, one, other)
        needed = seeds_for_power(found)
        rows.append([world, f"{one} - {other}", str(found.num_seeds), interval_text(found), str(needed or "")])
    return markdown_table("world | difference | seeds | honest test score, pp | seeds for a power of .9", rows)


def interval_text(found: SeedDifference) -> str:
    """Return a difference with its interval, starred where that excludes 0."""
    if found.low is None or found.high is None:
        return f"{found.mean:+.1f} (one seed)"
    return f"{found.mean:+.1f} [{found.low:+.1f}, {found.high:+.1f}]{' *' if found.is_sure else ''}"


def _campaigns(runs: Sequence[CoevolutionRun]) -> str:
    rows = [
        [
            run.world,
            str(run.seed),
            run.arm,
            run.incumbent,
            _percent([run.score]),
            _percent([run.shown_score]),
            f"{len(run.promotions)} of {run.num_trained}",
            f"{_spent(run):.0f}",
        ]
        for run in sorted(runs, key=lambda run: (worlds_of(runs).index(run.world), run.seed))
    ]
    return markdown_table("world | seed | arm | incumbent | honest | believed | promoted | CPU s", rows)


def _spent(run: CoevolutionRun) -> float:
    return run.trainings.done_cpu_seconds + run.completions.done_cpu_seconds + run.other_cpu_seconds


def _percent(values: Sequence[float | None]) -> str:
    known = [value for value in values if value is not None]
    return f"{100 * sum(known) / len(known):.1f}" if known else ""
