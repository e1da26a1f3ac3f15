"""Escalation: what changes after several failed versions in a row (method: after three).

    question the evaluator itself   rows of the failed versions are graded again, before anything is planned (evolve)
    return to the last good version candidates start from the newest version that is known-good by its honest score
    switch layer                    proposals of the families that failed wait while others fill the generation
    prefer removing over adding     what the incumbent's chain added is taken back, one factor at a time, first

Failed are versions that were rejected by their score or a limit, invalid, or that broke off. What a backtest refused, a
duplicate, and one that nothing could be decided of was no trial; one that was kept without a claim neither failed nor
succeeded. A generation with a promotion ends the row: its versions stand side by side, whatever their numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from evotrainer.campaign.labels import labels_of
from evotrainer.campaign.layout import BASE_VERSION
from evotrainer.campaign.lineage import best_chain
from evotrainer.config import Config
from evotrainer.config.factors import families_of
from evotrainer.records import VersionRecord

MARK = "escalated:"
"""Begins the evidence of a proposal that is tried before others because versions failed in a row."""

_FAILED = ("rejected", "invalid", "failed")


@dataclass(frozen=True)
class Escalation:
    """Versions failed in a row: which, what they changed, and where to start again."""

    failed: tuple[str, ...]
    families: frozenset[str]
    """Families of the factors that they changed."""
    last_good: str


def escalation(records: Sequence[VersionRecord], config: Config) -> Escalation | None:
    """Return the escalation in force after these versions; None while too few failed in a row."""
    needed = config.harness.escalate_after
    trials = [record for record in records if _was_trial(record)]
    promoted = max((record.spec.generation for record in trials if record.verdict.outcome == "promoted"), default=-1)
    failed = [record for record in trials if record.spec.generation > promoted and record.verdict.outcome in _FAILED]
    if not needed or len(failed) < needed:
        return None
    changed = [key for record in failed if record.intervention for key in record.intervention.diff]
    return Escalation(
        failed=tuple(record.spec.version for record in failed),
        families=frozenset(families_of(changed)),
        last_good=last_good(records),
    )


def last_good(records: Sequence[VersionRecord]) -> str:
    """Return the newest version on the way to the incumbent that is known-good, else the base policy.

    What fresh rows promoted is known to be better than the version before it, unless its honest score says otherwise.
    """
    labels = labels_of(records)
    is_fresh = {record.spec.version for record in records if record.verdict.gate is not None}

    def is_good(version: str) -> bool:
        label = labels.get(version, "")
        return label == "good" or (label != "bad" and version in is_fresh)

    return next((name for name in reversed(best_chain(records)) if is_good(name)), BASE_VERSION)


def _was_trial(record: VersionRecord) -> bool:
    if record.spec.kind not in ("candidate", "merge"):
        return False
    if record.verdict.outcome == "inconclusive":
        return False
    return record.verdict.score is not None or record.verdict.outcome == "failed"
