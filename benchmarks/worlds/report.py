"""Arms of a bench beside each other: tables in Markdown, the same numbers as plain values.

Arms are compared within a seed. All campaigns are listed; nothing is averaged away.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from benchmarks.markdown import markdown_table
from benchmarks.worlds.measure import WorldRun
from benchmarks.worlds.paired_seeds import SeedDifference, seed_difference

Pair = tuple[str, str]
MEASURES: dict[str, tuple[str, Callable[[WorldRun], float]]] = {
    "score": ("honest test score, pp", lambda run: 100 * run.score),
    "greedy": ("greedy, pp", lambda run: 100 * run.greedy),
    "invalid_promotions": ("invalid promotions", lambda run: float(run.invalid_promotions)),
}
"""{name: (words, value of one campaign)}."""
VOID = 5.0
"""Percentage points of room below which a world of `lopo` says nothing."""


def report(runs: Sequence[WorldRun], pairs: Sequence[Pair]) -> str:
    """Return the Markdown of a bench: means by arm, paired differences, all campaigns."""
    return "\n".join([_means(runs), _differences(runs, pairs), _campaigns(runs)])


def values(runs: Sequence[WorldRun], pairs: Sequence[Pair]) -> dict[str, Any]:
    """Return campaigns and paired differences as plain values, for results.json."""
    return {
        "runs": [run.model_dump(mode="json") for run in runs],
        "differences": [
            {"world": world, "arm": one, "other": other, "measure": name}
            | {key: getattr(found, key) for key in ("num_seeds", "mean", "low", "high")}
            for world, one, other in compared(runs, pairs)
            for name in MEASURES
            for found in [difference(runs, world, one, other, name)]
        ],
    }


def compared(runs: Sequence[WorldRun], pairs: Sequence[Pair]) -> list[tuple[str, str, str]]:
    """Return (world, arm, other) of the pairs that have a seed in common."""
    return [
        (world, one, other)
        for world in dict.fromkeys(run.world for run in runs)
        for one, other in pairs
        if _by_seed(runs, world, one).keys() & _by_seed(runs, world, other).keys()
    ]


def difference(runs: Sequence[WorldRun], world: str, one: str, other: str, measure: str = "score") -> SeedDifference:
    """Return one arm minus another in a world, paired by seed."""
    return seed_difference(_by_seed(runs, world, one, measure), _by_seed(runs, world, other, measure))


def _by_seed(runs: Sequence[WorldRun], world: str, arm: str, measure: str = "score") -> dict[int, float]:
    value = MEASURES[measure][1]
    return {run.seed: value(run) for run in runs if (run.world, run.arm) == (world, arm)}


def room_table(runs: Sequence[WorldRun]) -> str:
    """Return the Markdown of what the missing diagnostics would have been worth, and of what E recovers of it."""
    rows = []
    for world in dict.fromkeys(run.world for run in runs):
        there, share = room(runs, world), recovered(runs, world)
        rows.append([world, "" if there is None else f"{there:.1f}", "void" if share is None else f"{share:.2f}"])
    return markdown_table("world | room, pp | recovered by E", rows)


def room(runs: Sequence[WorldRun], world: str) -> float | None:
    """Return what S lacks: the larger of F - S and O - S; None where neither was run."""
    found = [difference(runs, *pair).mean for pair in compared(runs, (("F", "S"), ("O", "S"))) if pair[0] == world]
    return max(found) if found else None


def recovered(runs: Sequence[WorldRun], world: str) -> float | None:
    """Return the share of the room that E recovers; None for a void world."""
    there = room(runs, world)
    if there is None or there < VOID or (world, "E", "S") not in compared(runs, (("E", "S"),)):
        return None
    return difference(runs, world, "E", "S").mean / there


def _means(runs: Sequence[WorldRun]) -> str:
    rows = []
    for world, arm in dict.fromkeys((run.world, run.arm) for run in runs):
        own = [run for run in runs if (run.world, run.arm) == (world, arm)]
        cells = [
            world,
            arm,
            str(len(own)),
            _percent(run.score for run in own),
            _percent(run.greedy for run in own),
            _percent(run.shown_score for run in own),
            str(sum(len(run.promotions) for run in own)),
            str(sum(run.invalid_promotions for run in own)),
            f"{sum(run.trained_tokens for run in own) / len(own):,.0f}",
            f"{sum(run.other_tokens for run in own) / len(own):,.0f}",
        ]
        rows.append(cells)
    columns = (
        "world | arm | seeds | final | greedy | believed | promoted | invalidly | tokens trained on | sampled beside"
    )
    return markdown_table(columns, rows)


def _differences(runs: Sequence[WorldRun], pairs: Sequence[Pair]) -> str:
    rows = []
    for world, one, other in compared(runs, pairs):
        found = [difference(runs, world, one, other, name) for name in MEASURES]
        rows.append([world, f"{one} - {other}", str(found[0].num_seeds), *map(interval_text, found)])
    words = [words for words, _ in MEASURES.values()]
    return markdown_table(" | ".join(["world", "difference", "seeds", *words]), rows)


def interval_text(found: SeedDifference) -> str:
    """Return a difference with its interval, starred where that excludes 0."""
    if found.low is None or found.high is None:
        return f"{found.mean:+.1f} (one seed)"
    return f"{found.mean:+.1f} [{found.low:+.1f}, {found.high:+.1f}]{' *' if found.is_sure else ''}"


def _campaigns(runs: Sequence[WorldRun]) -> str:
    columns = "world | seed | arm | incumbent | honest | believed | promoted | invalidly | cards"
    worlds = list(dict.fromkeys(run.world for run in runs))
    rows = []
    for run in sorted(runs, key=lambda run: (worlds.index(run.world), run.seed)):
        invalid = [promotion.version for promotion in run.promotions if promotion.is_invalid]
        cells = [
            run.world,
            str(run.seed),
            run.arm,
            run.incumbent,
            _percent([run.score]),
            _percent([run.shown_score]),
            f"{len(run.promotions)} of {run.num_trained}",
            ", ".join(invalid) or "none",
            f"{run.entered_cards} in {run.revisions} revisions" if run.revisions else "",
        ]
        rows.append(cells)
    return markdown_table(columns, rows)


def _percent(found: Iterable[float | None]) -> str:
    known = [value for value in found if value is not None]
    return f"{100 * sum(known) / len(known):.1f}" if known else ""
