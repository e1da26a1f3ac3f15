"""Inject a trainer that runs into the budget's limit again and again."""

from benchmarks.failure_modes.base import Rng
from benchmarks.fault_injection.lineages import LineageCase, with_records, with_verdict

DOMAIN = "lineage"
STRENGTHS = (2.0, 3.0, 4.0, 6.0)
"""Versions that break off."""


def alter(case: LineageCase, strength: float, rng: Rng) -> LineageCase:
    """Return the case with that many versions that overran their budget."""
    records = list(case.records)
    for place in rng.choice(range(1, len(records)), round(strength), replace=False):
        records[place] = with_verdict(
            records[place],
            outcome="failed",
            label="train_budget_overrun",
            score=None,
            comparisons=[],
            prediction_hit=None,
        )
    return with_records(case, records)
