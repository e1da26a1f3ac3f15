"""The order in which a person and the trainer agent read findings.

The worst come first. `invalid` findings precede all others: conclusions from a false score need not be read.

Of rows from elsewhere nothing but the rows is known, and one fault has many effects: a tool that fails lowers the
score, shortens attempts and makes them alike. There equally bad findings that name a cause come before such effects.
"""

from collections.abc import Sequence

from evotrainer.records import Finding

SEVERITIES = ("invalid", "critical", "warning", "info")
"""From worst to mildest."""

EFFECTS = frozenset(
    {
        "action_collapse",
        "dead_groups",
        "echo_trap",
        "entropy_collapse",
        "failed_edits",
        "few_edits",
        "length_gaming",
        "low_edit_coverage",
        "low_reward_spread",
        "low_search_before_edit",
        "low_self_test_rate",
        "over_filtering",
        "score_decline",
        "stagnation",
        "template_collapse",
        "timidity",
        "train_validation_gap",
        "truncation",
        "weak_family",
    }
)
"""Modes that say what became of a policy or its score, which many faults bring about."""

DEFAULT_ORDER = ""
"""By severity alone."""
CAUSES_FIRST = "cause-first"
"""By severity, among equals those that name a cause first."""


def in_order(findings: Sequence[Finding], order: str = DEFAULT_ORDER) -> list[Finding]:
    """Return findings sorted: the worst first, under `CAUSES_FIRST` those that name a cause before their effects."""

    def key(finding: Finding) -> tuple[int, bool, str, str, str]:
        return (
            SEVERITIES.index(finding.severity),
            order == CAUSES_FIRST and finding.mode in EFFECTS,
            finding.mode,
            finding.diagnostic,
            finding.message,
        )

    return sorted(findings, key=key)
