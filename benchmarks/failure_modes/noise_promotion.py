"""Inject promotions that noise carries: below the noise floor, or of a recipe that the incumbent had."""

from benchmarks.failure_modes.base import Rng
from benchmarks.fault_injection.lineages import FLOOR, LineageCase, with_records, with_verdict

DOMAIN = "lineage"
STRENGTHS = (1.0, 2.0, 4.0, 6.0)
"""Versions."""


def alter(case: LineageCase, strength: float, rng: Rng) -> LineageCase:
    """Return the case with that many promotions of a difference below the floor."""
    records = list(case.records)
    for place in rng.choice(range(1, len(records)), round(strength), replace=False):
        gained = [
            comparison.model_copy(update={"difference": float(rng.uniform(0.0, 0.95 * FLOOR))})
            for comparison in records[place].verdict.comparisons
        ]
        records[place] = with_verdict(records[place], outcome="promoted", comparisons=gained)
    return with_records(case, records)


def alter_variant(case: LineageCase, strength: float, rng: Rng) -> LineageCase:
    """Return the case with that many promotions of the incumbent's own recipe, by any difference."""
    records = list(case.records)
    for place in rng.choice(range(2, len(records)), round(strength), replace=False):
        before = records[place - 1]
        spec = records[place].spec.model_copy(update={"incumbent": before.spec.version})
        same = records[place].model_copy(update={"spec": spec, "config_hash": before.config_hash})
        records[place] = with_verdict(same, outcome="promoted")
    return with_records(case, records)
