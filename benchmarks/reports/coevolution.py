"""Does co-evolution pay? Arms of a bench side by side: tables in Markdown, the same numbers as plain values.

Arms are compared within a seed. All campaigns are listed; nothing is averaged away.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from benchmarks.coevolution.records import CoevolutionRun
from benchmarks.paired_seeds import SeedDifference, seed_difference
from benchmarks.reports.markdown import markdown_table

PAIRS = (
    ("evolving", "static", "the evolving harness"),
    ("evolving", "hillclimb", "harness and search, against the score alone"),
    ("static", "hillclimb", "diagnosis, backtests and gate, against the score alone"),
    ("static", "shuffled", "findings, against the same rules on shuffled ones"),
    ("static", "random", "the rules, against a blind proposer"),
)
"""(arm, arm, what their difference is worth)."""

Measure = Callable[[CoevolutionRun], float]

MEASURES: dict[str, tuple[str, Measure]] = {
    "score": ("honest test score, pp", lambda run: 100 * run.score),
    "invalid_promotions": ("invalid promotions", lambda run: float(run.invalid_promotions)),
    "wasted_share": ("wasted training steps, % of all", lambda run: 100 * run.wasted_steps / max(run.steps, 1)),
}
"""{name: (words, value of one campaign)}."""


def coevolution_report(runs: Sequence[CoevolutionRun]) -> str:
    """Return the Markdown of a bench: means by arm, paired differences, costs, all campaigns."""
    parts = [_means(runs), _differences(runs), _costs(runs), _campaigns(runs)]
    return "\n".join(parts)


def coevolution_values(runs: Sequence[CoevolutionRun]) -> dict[str, Any]:
    """Return campaigns and paired differences as plain values, for results.json."""
    return {
        "runs": [run.model_dump(mode="json") for run in runs],
        "differences": [
            {
                "world": world,
                "arm": one,
                "other": other,
                "measure": name,
                "num_seeds": found.num_seeds,
                "mean": found.mean,
                "low": found.low,
                "high": found.high,
            }
            for world in worlds_of(runs)
            for one, other, _ in pairs_of(runs, world)
            for name in MEASURES
            for found in [difference(runs, world, one, other, name)]
        ],
    }


def worlds_of(runs: Sequence[CoevolutionRun]) -> list[str]:
    """Return the worlds that were run, in the order of their first campaign."""
    return list(dict.fromkeys(run.world for run in runs))


def arms_of(runs: Sequence[CoevolutionRun]) -> list[str]:
    """Return the arms that were run, in the order of their first campaign."""
    return list(dict.fromkeys(run.arm for run in runs))


def pairs_of(runs: Sequence[CoevolutionRun], world: str) -> list[tuple[str, str, str]]:
    """Return the pairs of arms of a world that have a seed in common."""
    seeds = {arm: {run.seed for run in runs if run.world == world and run.arm == arm} for arm in arms_of(runs)}
    return [pair for pair in PAIRS if seeds.get(pair[0], set()) & seeds.get(pair[1], set())]


def difference(runs: Sequence[CoevolutionRun], world: str, one: str, other: str, measure: str) -> SeedDifference:
    """Return one arm minus another in a world, paired by seed."""
    value = MEASURES[measure][1]
    both = [{run.seed: value(run) for run in runs if run.world == world and run.arm == arm} for arm in (one, other)]
    return seed_difference(both[0], both[1])


def _means(runs: Sequence[CoevolutionRun]) -> str:
    columns = "world | arm | seeds | v0 | own recipe | incumbent | believed | promoted | invalidly | wasted steps"
    return markdown_table(columns, _by_arm(runs, _mean_cells))


def _by_arm(
    runs: Sequence[CoevolutionRun], cells_of: Callable[[str, str, Sequence[CoevolutionRun]], list[str]]
) -> Iterator[list[str]]:
    """Yield the cells of each arm in each world, as far as it has campaigns."""
    for world in worlds_of(runs):
        for arm in arms_of(runs):
            own = [run for run in runs if run.world == world and run.arm == arm]
            if own:
                yield cells_of(world, arm, own)


def _mean_cells(world: str, arm: str, own: Sequence[CoevolutionRun]) -> list[str]:
    wasted, steps = sum(run.wasted_steps for run in own), sum(run.steps for run in own)
    return [
        world,
        arm,
        str(len(own)),
        _percent(run.base_score for run in own),
        _percent(run.baseline_score for run in own),
        _percent(run.score for run in own),
        _percent(run.shown_score for run in own),
        str(sum(len(run.promotions) for run in own)),
        str(sum(run.invalid_promotions for run in own)),
        f"{wasted} of {steps} ({wasted / max(steps, 1):.0%})",
    ]


def _differences(runs: Sequence[CoevolutionRun]) -> str:
    words = [words for words, _ in MEASURES.values()]
    rows = []
    for world in worlds_of(runs):
        for one, other, _ in pairs_of(runs, world):
            found = [difference(runs, world, one, other, name) for name in MEASURES]
            rows.append([world, f"{one} - {other}", str(found[0].num_seeds), *map(_interval, found)])
    return markdown_table(" | ".join(["world", "difference", "seeds", *words]), rows)


def _interval(found: SeedDifference) -> str:
    if found.low is None or found.high is None:
        return f"{found.mean:+.1f} (one seed)"
    star = " *" if found.is_sure else ""
    return f"{found.mean:+.1f} [{found.low:+.1f}, {found.high:+.1f}]{star}"


def _costs(runs: Sequence[CoevolutionRun]) -> str:
    columns = "world | arm | trained, CPU s (reused) | sampled, CPU s (reused) | other, CPU s | tokens (reused)"
    return markdown_table(columns, _by_arm(runs, _cost_cells))


def _cost_cells(world: str, arm: str, own: Sequence[CoevolutionRun]) -> list[str]:
    def spent(ledgers: Sequence[Any]) -> str:
        return (
            f"{sum(led.done_cpu_seconds for led in ledgers):.0f} ({sum(led.reused_cpu_seconds for led in ledgers):.0f})"
        )

    trainings, completions = [run.trainings for run in own], [run.completions for run in own]
    both = [*trainings, *completions]
    tokens = f"{sum(led.done_tokens for led in both):,} ({sum(led.reused_tokens for led in both):,})"
    return [
        world,
        arm,
        spent(trainings),
        spent(completions),
        f"{sum(run.other_cpu_seconds for run in own):.0f}",
        tokens,
    ]


def _campaigns(runs: Sequence[CoevolutionRun]) -> str:
    columns = "world | seed | arm | incumbent | honest | believed | promoted | invalidly | wasted steps | cards"
    rows = []
    for run in sorted(runs, key=lambda run: (worlds_of(runs).index(run.world), run.seed)):
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
            f"{run.wasted_steps} of {run.steps}",
            f"{run.entered_cards} in {run.revisions} revisions" if run.revisions else "",
        ]
        rows.append(cells)
    return markdown_table(columns, rows)


def _percent(values: Any) -> str:
    known = [value for value in values if value is not None]
    return f"{100 * sum(known) / len(known):.1f}" if known else ""
