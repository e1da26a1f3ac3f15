"""Reference algorithms beside searches: scores, budgets, paired differences. All campaigns are listed.

A reference counts by the policy that it trained, promoted or not; a search by its final incumbent. Arms are compared
within a seed.
"""

import statistics
from collections.abc import Sequence
from typing import Any

from benchmarks.coevolution.records import CoevolutionRun
from benchmarks.paired_seeds import SeedDifference, seed_difference
from benchmarks.references.arms import is_reference
from benchmarks.reports.lopo import interval_text, worlds_of
from benchmarks.reports.markdown import markdown_table

OURS = "evotrainer"


def references_report(runs: Sequence[CoevolutionRun]) -> str:
    """Return the Markdown of the bench: scores and budgets by arm, differences, all campaigns."""
    return "\n".join([_arms(runs), _differences(runs), _campaigns(runs)])


def references_values(runs: Sequence[CoevolutionRun]) -> dict[str, Any]:
    """Return campaigns and differences as plain values, for results.json."""
    return {
        "runs": [run.model_dump(mode="json") | {"deployed_score": deployed_score(run)} for run in runs],
        "differences": [
            {
                "domain": domain,
                "arm": OURS,
                "other": arm,
                "num_seeds": found.num_seeds,
                "mean": found.mean,
                "low": found.low,
                "high": found.high,
            }
            for domain in worlds_of(runs)
            for arm, found in differences(runs, domain).items()
        ],
    }


def deployed_score(run: CoevolutionRun) -> float:
    """Return the test score of the policy that the arm ends with; that of v0 where a reference's training failed."""
    if not is_reference(run.arm):
        return run.score
    return run.base_score if run.baseline_score is None else run.baseline_score


def differences(runs: Sequence[CoevolutionRun], domain: str) -> dict[str, SeedDifference]:
    """Return {arm: evotrainer minus it, percentage points, paired by seed} of a domain's other arms."""
    scores: dict[str, dict[int, float]] = {}
    for run in runs:
        if run.world == domain:
            scores.setdefault(run.arm, {})[run.seed] = 100 * deployed_score(run)
    own = scores.pop(OURS, {})
    return {arm: seed_difference(own, other) for arm, other in scores.items() if own.keys() & other.keys()}


def _arms(runs: Sequence[CoevolutionRun]) -> str:
    rows = []
    for domain in worlds_of(runs):
        members = [run for run in runs if run.world == domain]
        for arm in dict.fromkeys(run.arm for run in members):
            own = [run for run in members if run.arm == arm]
            scores = [100 * deployed_score(run) for run in own]
            cells = [
                domain,
                arm,
                str(len(own)),
                f"{100 * statistics.fmean(run.base_score for run in own):.1f}",
                f"{statistics.fmean(scores):.1f}",
                f"{min(scores):.1f} to {max(scores):.1f}",
                f"{statistics.fmean(map(_trained, own)):,.0f}",
                f"{statistics.fmean(map(_sampled, own)):,.0f}",
                f"{statistics.fmean(map(_cpu_seconds, own)):.0f}",
            ]
            rows.append(cells)
    columns = "domain | arm | seeds | v0 | deployed | range | tokens trained on | sampled beside | CPU s"
    return markdown_table(columns, rows)


def _differences(runs: Sequence[CoevolutionRun]) -> str:
    rows = [
        [domain, f"{OURS} - {arm}", str(found.num_seeds), interval_text(found)]
        for domain in worlds_of(runs)
        for arm, found in differences(runs, domain).items()
    ]
    return markdown_table("domain | difference | seeds | test score, pp", rows)


def _campaigns(runs: Sequence[CoevolutionRun]) -> str:
    rows = [
        [
            run.world,
            str(run.seed),
            run.arm,
            f"{100 * deployed_score(run):.1f}",
            "" if is_reference(run.arm) else run.incumbent,
            "" if is_reference(run.arm) else f"{len(run.promotions)} of {run.num_trained}",
        ]
        for run in sorted(runs, key=lambda run: (worlds_of(runs).index(run.world), run.seed))
    ]
    return markdown_table("domain | seed | arm | deployed | incumbent | promoted", rows)


def _trained(run: CoevolutionRun) -> int:
    return run.trainings.done_tokens + run.trainings.reused_tokens


def _sampled(run: CoevolutionRun) -> int:
    return run.completions.done_tokens + run.completions.reused_tokens


def _cpu_seconds(run: CoevolutionRun) -> float:
    """Return what the arm would have taken alone: reused work counts as it cost where it was done."""
    both = (run.trainings, run.completions)
    return sum(one.done_cpu_seconds + one.reused_cpu_seconds for one in both) + run.other_cpu_seconds
