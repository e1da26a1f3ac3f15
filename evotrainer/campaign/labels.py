"""Known-good and known-bad: labels of stored versions, from their honest scores alone.

    good    significantly above the base policy, and not significantly below its incumbent
    bad     significantly below its incumbent, or below the base policy

Where a gate drew fresh rows against the incumbent, these decide, not the screening rows that selected the version. An
honest score is the one under stricter access where a leak was answered, else the score as evaluated. Scores of the two
kinds are never subtracted from each other.

No label: a version with a doubted score (a gate that reads no findings may promote it), one without a decision, one
between good and bad, and one above the base policy without an honest comparison with its incumbent. Findings of another
severity, predictions and side-effect limits do not affect labels.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

from evotrainer.campaign.layout import BASE_VERSION
from evotrainer.records import WITHOUT_RECIPE, VersionRecord

Label = Literal["good", "bad", ""]

MIN_EACH = 2
"""Versions of either label below which nothing can be separated."""
ENOUGH_EACH = 5
"""Versions of either label below which a card is provisional."""


def labels_of(records: Sequence[VersionRecord]) -> dict[str, Label]:
    """Return the label of every version, empty for those that have none."""
    by_name = {record.spec.version: record for record in records}
    return {name: _label(record, by_name) for name, record in by_name.items()}


def doubts(record: VersionRecord) -> set[str]:
    """Return the modes of findings that invalidate a version's score as it was evaluated."""
    return {found.mode for found in record.findings if found.severity == "invalid"}


def is_believed(record: VersionRecord) -> bool:
    """Return whether the honest score is valid: scoring under stricter access answers the findings it is for."""
    return doubts(record) <= (set(record.corrected[1].answers) if record.corrected is not None else set())


def is_healthy(record: VersionRecord, label: Label) -> bool:
    """Return whether a finding on this version would be a false alarm: nothing is known against it.

    A version that did well without the leak it used is good and not healthy: a finding on the leak is right. Nor is one
    healthy without a decision and with a lower score than those it was compared with.
    """
    is_open = label == "" and record.verdict.outcome in ("promoted", "kept") and not _seems_worse(record)
    return not doubts(record) and (label == "good" or is_open)


def honest_difference(
    record: VersionRecord, against: str, by_name: Mapping[str, VersionRecord]
) -> tuple[float, float] | None:
    """Return the difference of honest scores to another version and the half width of its interval, where known.

    Both are scores under the same access policy. Where one of the two alone was scored again under a stricter one, the
    difference as it was evaluated counts, if neither score is doubted there. A version that ran under the stricter
    policy was compared with its peers under it from the start.
    """
    compared, other = _measured(record, against), by_name.get(against)
    if compared is None or other is None or not (is_believed(record) and is_believed(other)):
        return None
    difference, half_width = compared
    own, others, access = record.corrected, other.corrected, record.spec.access.policy
    if own is not None and others is not None and own[1] == others[1]:
        return own[0] - others[0], half_width
    is_settled = (doubts(record) | doubts(other)) <= set(access.answers)
    is_alike = is_settled and other.spec.access.policy.strictness <= access.strictness
    return (difference, half_width) if is_alike else None


def _label(record: VersionRecord, by_name: Mapping[str, VersionRecord]) -> Label:
    if record.spec.kind in WITHOUT_RECIPE or record.verdict.outcome == "inconclusive":
        return ""
    found = [honest_difference(record, name, by_name) for name in (record.spec.incumbent, BASE_VERSION)]
    if any(one is not None and one[0] < -one[1] for one in found):
        return "bad"
    known = [one for one in found if one is not None]
    return "good" if len(known) == len(found) and known[-1][0] > known[-1][1] else ""


def _measured(record: VersionRecord, against: str) -> tuple[float, float] | None:
    """Return the difference as it was evaluated and the half width of its interval: on fresh rows where there are."""
    gate = record.verdict.gate
    if gate is not None and gate.against == against and gate.estimate is not None:
        return gate.estimate, (gate.high - gate.low) / 2
    compared = (found for found in record.verdict.comparisons if found.against == against)
    return next(((found.difference, (found.high - found.low) / 2) for found in compared), None)


def _seems_worse(record: VersionRecord) -> bool:
    measured = (_measured(record, found.against) for found in record.verdict.comparisons)
    return any(one is not None and one[0] < 0 for one in measured)
