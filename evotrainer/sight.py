"""What an agent may see of a campaign: rows of rollouts and training; of validation, score and interval alone.

Else up to a hundred choices would be judged on what they were made from. Rows of the sealed test split are in no view
before the certificate.
"""

from collections.abc import Iterable

STAGES = ("rollout", "training")
"""Stages whose rows an agent may read."""

VALIDATION_METRICS = frozenset(
    {
        "greedy_score",
        "error_share",
        "train_validation_gap",
        "regraded_rows",
        "regraded_lost",
        "regraded_share_changed",
    }
)
"""Metrics of a version, besides score and its intervals, that are read from validation rows."""

_VALIDATION_ROW = ".validation."


def rests_on_validation(diagnostic: str, trajectory_ids: Iterable[str]) -> bool:
    """Return whether a finding tells of validation rows."""
    return diagnostic in VALIDATION_METRICS or any(_VALIDATION_ROW in row for row in trajectory_ids)
