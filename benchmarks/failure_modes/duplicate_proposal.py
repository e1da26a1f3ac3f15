"""Inject proposals that were made before, or that change nothing."""

from benchmarks.failure_modes.base import Rng
from benchmarks.fault_injection.lineages import LineageCase, with_records

DOMAIN = "lineage"
STRENGTHS = (1.0, 2.0, 4.0, 6.0)
"""Versions."""


def alter(case: LineageCase, strength: float, rng: Rng) -> LineageCase:
    """Return the case with that many versions on the recipe of an earlier one."""
    records = list(case.records)
    for place in rng.choice(range(2, len(records)), round(strength), replace=False):
        earlier = records[int(rng.integers(1, place))]
        records[place] = records[place].model_copy(update={"config_hash": earlier.config_hash})
    return with_records(case, records)


def alter_variant(case: LineageCase, strength: float, rng: Rng) -> LineageCase:
    """Return the case with that many versions whose diff sets what was there."""
    records = list(case.records)
    for place in rng.choice(range(1, len(records)), round(strength), replace=False):
        change = records[place].intervention
        assert change is not None
        idle = change.model_copy(update={"diff": {key: (new, new) for key, (_, new) in change.diff.items()}})
        records[place] = records[place].model_copy(update={"intervention": idle})
    return with_records(case, records)
