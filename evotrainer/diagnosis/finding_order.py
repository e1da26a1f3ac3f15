"""The order in which a person and the trainer agent read findings.

Evidence has layers: score, signal, behaviour. A diagnostic belongs to the layer that its numbers come from, and the
order in force decides which layer comes first. Within a layer, and without an order, the worst come first. `invalid`
findings precede all others: conclusions from a false score need not be read.

Of rows from elsewhere nothing but the rows is known, and one fault has many effects: a tool that fails lowers the
score, shortens attempts and makes them alike. There equally bad findings that name a cause come before such effects.
"""

from collections.abc import Sequence
from typing import Literal

from evotrainer.records import Finding

SEVERITIES = ("invalid", "critical", "warning", "info")
"""From worst to mildest."""

Layer = Literal["score", "signal", "behaviour"]
LAYERS: tuple[Layer, ...] = ("score", "signal", "behaviour")

_SCORE = (
    "score",
    "answers",
    "families",
    "train_validation_gap",
    "versions",
    "flaky_grading",
    "score_decline",
    "weak_family",
)
_SIGNAL = (
    "dead_groups",
    "reward_spread",
    "phantom_advantage",
    "constant_term",
    "reward_outcome_divergence",
    "advantage_mismatch",
    "zero_gradient",
    "over_filtering",
    "kl_ineffective",
    "training_signals",
    "infrastructure_zeros",
    "metric_defect",
    "low_reward_spread",
    "infrastructure_errors",
)

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
"""No layer first: by severity alone."""
CAUSES_FIRST = "cause-first"
"""By severity, among equals those that name a cause first."""


def layer_of(diagnostic: str) -> Layer:
    """Return the layer whose evidence a diagnostic, or a mode, reads; behaviour for unknown names."""
    return "score" if diagnostic in _SCORE else "signal" if diagnostic in _SIGNAL else "behaviour"


def in_order(findings: Sequence[Finding], order: str = DEFAULT_ORDER) -> list[Finding]:
    """Return findings sorted under an order such as "signal-first"."""
    first = "" if order == CAUSES_FIRST else order.removesuffix("-first")
    layers = [layer for layer in LAYERS if layer == first] + [layer for layer in LAYERS if layer != first]
    rank = {layer: place if first else 0 for place, layer in enumerate(layers)}

    def key(finding: Finding) -> tuple[bool, int, int, bool, str, str, str]:
        return (
            finding.severity != "invalid",
            rank[layer_of(finding.diagnostic)],
            SEVERITIES.index(finding.severity),
            order == CAUSES_FIRST and finding.mode in EFFECTS,
            finding.mode,
            finding.diagnostic,
            finding.message,
        )

    return sorted(findings, key=key)
