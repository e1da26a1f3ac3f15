"""Inject a trainer that promises more than comes true."""

from benchmarks.failure_modes.base import Rng
from benchmarks.fault_injection.lineages import LineageCase, with_records, with_verdict

DOMAIN = "lineage"
STRENGTHS = (0.5, 0.7, 0.85, 0.97)
"""Credence of predictions of which one in five comes true."""
_HITS = 0.2


def alter(case: LineageCase, strength: float, rng: Rng) -> LineageCase:
    """Return the case with that credence in every prediction."""
    return _promised(case, strength, _HITS, rng)


def alter_variant(case: LineageCase, strength: float, rng: Rng) -> LineageCase:
    """Return the case with that credence where nothing ever comes true."""
    return _promised(case, strength, 0.0, rng)


def _promised(case: LineageCase, credence: float, hits: float, rng: Rng) -> LineageCase:
    records = []
    for record in case.records:
        if record.intervention is not None and record.verdict.prediction_hit is not None:
            prediction = record.intervention.prediction.model_copy(update={"probability": credence})
            change = record.intervention.model_copy(update={"prediction": prediction})
            record = with_verdict(
                record.model_copy(update={"intervention": change}), prediction_hit=bool(rng.random() < hits)
            )
        records.append(record)
    return with_records(case, records)
