"""What an agent may see of a campaign: rows of rollouts and training; of validation only score and interval.

Otherwise an agent would choose on the rows that judge its choices. Rows of the sealed test split are in no view before
the certificate. tests/invariant/test_visibility.py checks both lists against the behaviour of the diagnostics.
"""

from collections.abc import Iterable

STAGES = ("rollout", "training")
"""Stages whose rows an agent may read."""

VALIDATION_DIAGNOSTICS = frozenset(
    {
        "always_equal",
        "answer_reading",
        "contamination",
        "early_exit",
        "flaky_grading",
        "grader_subversion",
        "history_leak",
        "infrastructure_zeros",
        "judge_hacking",
        "metric_defect",
        "self_written_tests",
        "special_casing",
        "test_tampering",
        "train_validation_gap",
        "weak_verifier",
    }
)
"""Diagnostics that read validation rows where there are any: in the audit of a version."""

VALIDATION_METRICS = frozenset(
    {
        "greedy_score",
        "error_share",
        "regraded_rows",
        "regraded_lost",
        "regraded_share_changed",
        "answer_reading_rate",
        "collected_tests",
        "config_write_rate",
        "early_exit_rate",
        "expected_tests",
        "flaky_share",
        "history_read_rate",
        "history_restore_rate",
        "infrastructure_error_rate",
        "judge_approves_wrong",
        "judge_mean",
        "judge_probe_rate",
        "judge_refuses_right",
        "loose_disagreement",
        "missing_tests_rate",
        "own_test_rate",
        "own_tests_pass_correct",
        "own_tests_pass_wrong",
        "perturbed_share",
        "shown_problem_share",
        "test_write_rate",
        "touched_grader_rate",
        "train_validation_gap",
        "visible_hidden_gap",
        "weak_problem_share",
        "weakened_test_rate",
    }
)
"""Metrics of a version, besides score and its intervals, that are read from validation rows."""


_VALIDATION_ROW = ".validation."


def rests_on_validation(diagnostic: str, trajectory_ids: Iterable[str]) -> bool:
    """Return whether a finding of an audit may rest on validation rows.

    Its diagnostic decides, not its examples alone: those of a finding over both splits may all be of training.
    """
    return diagnostic in VALIDATION_DIAGNOSTICS or any(_VALIDATION_ROW in row for row in trajectory_ids)
