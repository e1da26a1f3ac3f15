"""What critical findings on rows from elsewhere were worth at first sight, and which of them stay critical.

Authors who had seen no diagnostic wrote runs, faulty ones and healthy ones, and the diagnostics saw each once. A
diagnostic may call such rows critical while its record bears it out: right at least twice, and three times for each
healthy run that it accused. Any other critical finding is a warning, one of a diagnostic without a record too.

Those that are measured on the own bench of failure modes may begin without a record, and lose by a bad one: an
accusation, or a wrong name where they were not right twice. `invalid` rests on proof and stays.
docs/decisions/014-critical-is-earned.md has the reasons.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from evotrainer.records import Finding

MIN_RIGHT, TIMES_RIGHT = 2, 3
"""Faults that a diagnostic named rightly before it may be critical, also for each healthy run that it accused."""


class Record(NamedTuple):
    """Critical findings at first sight: those with the fault's name, with another in a faulty run, in a healthy run."""

    right: int
    other: int
    healthy: int


RECORDS = {
    ("advantage_mismatch", "advantage_mismatch"): Record(17, 0, 1),
    ("any_number_paid", "weak_verifier"): Record(1, 0, 0),
    ("blind_reward", "reward_outcome_divergence"): Record(4, 1, 0),
    ("broken_machines", "infrastructure_zeros"): Record(3, 0, 0),
    ("copies", "entropy_collapse"): Record(8, 0, 0),
    ("critic", "critic_divergence"): Record(9, 0, 0),
    ("crowded_graders", "infrastructure_zeros"): Record(7, 0, 0),
    ("dead_groups", "dead_groups"): Record(14, 23, 5),
    ("echo_trap", "echo_trap"): Record(2, 0, 0),
    ("empty_results", "weak_verifier"): Record(1, 1, 1),
    ("flaky_grading", "flaky_grading"): Record(3, 0, 0),
    ("frozen_evaluation", "staleness"): Record(9, 0, 0),
    ("gold_answers", "reward_outcome_divergence"): Record(2, 2, 1),
    ("history_leak", "history_leak"): Record(4, 0, 0),
    ("json_answers", "weak_verifier"): Record(1, 0, 0),
    ("left_results", "history_leak"): Record(1, 2, 1),
    ("loss_mask", "loss_mask"): Record(18, 0, 0),
    ("loss_mask", "one_sided_loss"): Record(3, 0, 0),
    ("measured_kl", "kl_drift"): Record(11, 0, 0),
    ("measured_kl", "kl_ineffective"): Record(2, 0, 0),
    ("needless_code", "early_exit"): Record(4, 0, 0),
    ("order_of_steps", "staleness"): Record(0, 2, 0),
    ("other_baselines", "advantage_mismatch"): Record(0, 1, 0),
    ("overruled_measures", "reward_outcome_divergence"): Record(1, 0, 0),
    ("overruled_measures", "weak_verifier"): Record(6, 6, 2),
    ("paid_nonsense", "weak_verifier"): Record(0, 1, 1),
    ("parting_measures", "reward_outcome_divergence"): Record(13, 3, 0),
    ("phantom_advantage", "phantom_advantage"): Record(0, 2, 1),
    ("prompts", "answer_reading"): Record(0, 1, 2),
    ("prompts", "contamination"): Record(0, 1, 1),
    ("reward_outcome_divergence", "reward_outcome_divergence"): Record(23, 6, 2),
    ("sampler_drift", "train_inference_mismatch"): Record(21, 0, 0),
    ("shifted_rows", "metric_defect"): Record(3, 0, 0),
    ("signs_of_cheating", "answer_reading"): Record(8, 1, 0),
    ("signs_of_cheating", "early_exit"): Record(4, 0, 1),
    ("signs_of_cheating", "grader_subversion"): Record(3, 0, 0),
    ("signs_of_cheating", "history_leak"): Record(1, 0, 0),
    ("signs_of_cheating", "judge_hacking"): Record(6, 0, 0),
    ("signs_of_cheating", "special_casing"): Record(6, 0, 0),
    ("signs_of_cheating", "test_tampering"): Record(11, 0, 0),
    ("signs_of_cheating", "tool_fabrication"): Record(7, 1, 0),
    ("signs_of_cheating", "weak_verifier"): Record(8, 1, 1),
    ("slipped_keys", "metric_defect"): Record(1, 0, 0),
    ("template_collapse", "template_collapse"): Record(0, 0, 1),
    ("timidity", "timidity"): Record(1, 1, 0),
    ("tool_answers", "infrastructure_zeros"): Record(7, 0, 0),
    ("tool_outages", "infrastructure_zeros"): Record(14, 0, 0),
    ("truncation", "truncation"): Record(5, 1, 0),
    ("unequal_pay", "flaky_grading"): Record(10, 4, 1),
    ("unequal_pay", "infrastructure_zeros"): Record(2, 2, 1),
    ("unfilled_slots", "metric_defect"): Record(4, 0, 0),
    ("weights_at_rest", "zero_gradient"): Record(1, 0, 1),
}
"""By diagnostic and mode, over 26 blind parts: the 30th to the 51st, and the 54th to the 57th."""


def as_earned(
    findings: Sequence[Finding], on_trial: Collection[str], own_limits: Collection[str] = ()
) -> list[Finding]:
    """Return findings of rows from elsewhere, critical ones that their record does not bear as warnings.

    Args:
        findings: as the diagnostics gave them.
        on_trial: the diagnostics that no own bench measures: these need a record.
        own_limits: limits that a person set: what goes beyond one of these is as loud as its diagnostic says.

    """
    return [
        one.model_copy(update={"severity": "warning"})
        if one.severity == "critical"
        and not set(own_limits) & one.thresholds.keys()
        and not is_earned(one.diagnostic, one.mode, one.diagnostic in on_trial)
        else one
        for one in findings
    ]


def is_earned(diagnostic: str, mode: str, is_on_trial: bool) -> bool:
    """Tell whether a diagnostic may call rows from elsewhere critical for this mode."""
    record = RECORDS.get((diagnostic, mode), Record(0, 0, 0))
    is_proven = record.right >= MIN_RIGHT or not (is_on_trial or record.other)
    return record.right >= TIMES_RIGHT * record.healthy and is_proven
