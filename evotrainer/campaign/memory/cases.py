"""Cases: evidence like this, what was tried on it, and how often it paid.

Likeness is Jaccard's over what was observed: the modes of findings, and each share among the metrics in bands of a
tenth. Cases of other domains are as like, and count for less.
"""

from collections.abc import Iterable, Mapping, Sequence

from evotrainer.campaign.memory.store import Memory
from evotrainer.records import Case, HarnessReport, SearchTrace

MAX_SOURCES = 10
MIN_LIKENESS = 0.3
OTHER_DOMAIN = 0.5
"""Weight of a case from another domain."""

SHARES = (
    "solve_rate",
    "dead_group_ratio",
    "truncation_rate",
    "format_failure_rate",
    "usable_groups",
    "self_test_rate",
    "failed_tool_call_rate",
    "clip_fraction",
)
"""Metrics in [0, 1] that describe a situation."""


def likeness(case: Case, modes: Iterable[str], metrics: Mapping[str, float]) -> float:
    """Return how like a case's evidence is to what is observed now, in [0, 1]."""
    then, now = _tokens(case.findings, case.metrics), _tokens(modes, metrics)
    union = then | now
    return len(then & now) / len(union) if union else 0.0


def similar(
    cases: Sequence[Case], domain: str, modes: Iterable[str], metrics: Mapping[str, float]
) -> list[tuple[Case, float]]:
    """Return (case, weight) of the cases that are like enough, the heaviest first."""
    modes = list(modes)
    alike = [(case, likeness(case, modes, metrics)) for case in cases]
    near = [
        (case, like * (1.0 if case.domain == domain else OTHER_DOMAIN)) for case, like in alike if like >= MIN_LIKENESS
    ]
    return sorted(near, key=lambda pair: (-pair[1], pair[0].campaign, pair[0].version))


def recall(memory: Memory, version: str, domain: str, report: HarnessReport) -> list[SearchTrace]:
    """Return what an agent asks its memory in view of a harness report; nothing of an empty memory."""
    if not memory.cases and not memory.skills:
        return []
    modes = sorted({finding.mode for finding in report.findings})
    found = similar(memory.cases, domain, modes, report.metrics)
    skills = [skill.name for skill in memory.skills if set(skill.modes) & set(modes)]
    return [
        SearchTrace(
            version=version,
            query=f"cases of {domain} like: {', '.join(modes) or 'no finding'}",
            sources=[f"{case.campaign}/{case.version}" for case, _ in found[:MAX_SOURCES]],
            artifacts=skills,
        )
    ]


def track_record(found: Sequence[tuple[Case, float]], factor: str) -> tuple[float, float]:
    """Return the weights of the similar cases in which changes of `factor` paid, and in which they did not.

    A case without a measured difference counts as neither. Cases of one domain and campaign seed that made
    the same change with the same end count once, as the most alike: they may be the same draws.
    """
    weights: dict[tuple[str, int, str, str, bool], float] = {}
    for case, weight in found:
        if factor in case.factor.split("+") and case.difference is not None:
            paid = case.difference > 0 and case.outcome in ("promoted", "kept")
            draws = (case.domain, case.campaign_seed, case.factor, case.change, paid)
            weights[draws] = max(weights.get(draws, 0.0), weight)
    won = sum(weight for draws, weight in weights.items() if draws[-1])
    return won, sum(weights.values()) - won


def _tokens(modes: Iterable[str], metrics: Mapping[str, float]) -> set[str]:
    bands = {f"{name}~{metrics[name]:.1f}" for name in SHARES if name in metrics}
    return {*modes, *bands}
