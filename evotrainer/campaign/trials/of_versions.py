"""Our own versions as trials: one label a version, its prediction beside what was observed.

promoted                                       keep
kept, rejected, inconclusive                   discard
invalid, or a side-effect limit broken         disqualified
refused by its backtest, or without candidate  preflight_crash
failed                                         its own label where that is one of the nine, else crash
attempts lost to infrastructure                harness_abort
"""

from collections.abc import Sequence

from evotrainer.campaign.lineage import came_true, gain
from evotrainer.records import LOST_ATTEMPTS, TRIAL_LABELS, Trial, TrialLabel, VersionRecord

BROKEN_LIMIT = "harmful"


def label_of(record: VersionRecord) -> TrialLabel:
    """Return how a version ended, as one of the nine labels; `baseline` for the base policy and the campaign's own."""
    verdict = record.verdict
    if verdict.label == LOST_ATTEMPTS:
        return "harness_abort"
    if record.spec.kind in ("base", "baseline"):
        return "baseline"
    if verdict.outcome == "failed":
        return verdict.label if verdict.label in TRIAL_LABELS else "crash"  # type: ignore[return-value]
    if record.is_empty or (record.backtest is not None and not record.backtest.accepted):
        return "preflight_crash"
    if verdict.outcome == "invalid" or _broke_a_limit(record):
        return "disqualified"
    return "keep" if verdict.outcome == "promoted" else "discard"


def trial_of(record: VersionRecord) -> Trial:
    """Return a version as a trial. Sizes are compared where the score was predicted; hits whatever was predicted."""
    made, seeds = record.intervention, record.confirmation.prediction if record.confirmation else None
    predicts_score = made is not None and made.prediction.metric == "score"
    observed = record.verdict.prediction_observed
    if seeds is not None and seeds.difference is not None:
        observed = seeds.difference
    return Trial(
        trial_id=record.spec.version,
        specialist=made.author if made else record.spec.kind,
        label=label_of(record),
        parents=list(record.spec.parents),
        against=record.spec.incumbent,
        hypothesis=made.hypothesis if made else "",
        expected=made.prediction.size if made and predicts_score else None,
        probability=made.prediction.probability if made else None,
        score=record.honest_score,
        delta=observed if predicts_score else gain(record),
        hit=came_true(record) if made else None,
        change=", ".join(f"{key} {old} -> {new}" for key, (old, new) in made.diff.items()) if made else "",
        numbers=dict(record.cost),
    )


def trials_of(records: Sequence[VersionRecord]) -> list[Trial]:
    """Return all versions as trials."""
    return [trial_of(record) for record in records]


def _broke_a_limit(record: VersionRecord) -> bool:
    gate = record.verdict.gate
    return gate is not None and any(limit.outcome == BROKEN_LIMIT for limit in gate.limits)
