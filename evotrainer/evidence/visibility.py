"""What an agent may see of a campaign: rows of rollouts and training; of validation only score and interval.

Otherwise an agent would choose on the rows that judge its choices. Rows of the sealed test split are in no view before
the certificate. tests/invariant/test_visibility.py checks the list of metrics against the behaviour of the diagnostics.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evotrainer.records import Finding  # a query over rows alone needs no records

STAGES = ("rollout", "training")
"""Stages whose rows an agent may read."""

VALIDATION_METRICS = frozenset(
    {
        "greedy_score",
        "validation_pass_at_k",
        "error_share",
        "regraded_rows",
        "regraded_lost",
        "regraded_share_changed",
        "answer_reading_rate",
        "flaky_share",
        "history_read_rate",
        "infrastructure_error_rate",
        "judge_approves_wrong",
        "judge_refuses_right",
        "perturbed_share",
        "shown_problem_share",
        "visible_hidden_gap",
        "weak_problem_share",
    }
)
"""Metrics of a version, besides score and its intervals, that are read from validation rows."""


OWN_PREFIX = "own."
"""Begins a metric of a person's own diagnostic, which may rest on validation rows."""


def is_hidden(metric: str) -> bool:
    """Return whether a metric may disclose validation rows."""
    return metric in VALIDATION_METRICS or metric.startswith(OWN_PREFIX)


_VALIDATION_ROW = ".validation."


def rests_on_validation(finding: "Finding") -> bool:
    """Return whether a finding of an audit may disclose validation rows.

    The harness sets `reads_validation` for whatever shipped diagnostic read them, and for all of a person's own.
    Examples alone do not show it: those of a
    finding over both splits may all be of training.
    """
    return finding.reads_validation or any(_VALIDATION_ROW in row for row in finding.trajectory_ids)
