"""The order in which a person and the trainer agent read findings.

Evidence has layers: score, signal, behaviour. A diagnostic belongs to the layer that its numbers come from, and the
order in force decides which layer comes first. Within a layer, and without an order, the worst come first. `invalid`
findings precede all others: conclusions from a false score need not be read.
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

DEFAULT_ORDER = ""
"""No layer first: by severity alone."""


def layer_of(diagnostic: str) -> Layer:
    """Return the layer whose evidence a diagnostic, or a mode, reads; behaviour for unknown names."""
    return "score" if diagnostic in _SCORE else "signal" if diagnostic in _SIGNAL else "behaviour"


def in_order(findings: Sequence[Finding], order: str = DEFAULT_ORDER) -> list[Finding]:
    """Return findings sorted under an order such as "signal-first"."""
    first = order.removesuffix("-first")
    layers = [layer for layer in LAYERS if layer == first] + [layer for layer in LAYERS if layer != first]
    rank = {layer: place if first else 0 for place, layer in enumerate(layers)}

    def key(finding: Finding) -> tuple[bool, int, int, str, str, str]:
        return (
            finding.severity != "invalid",
            rank[layer_of(finding.diagnostic)],
            SEVERITIES.index(finding.severity),
            finding.mode,
            finding.diagnostic,
            finding.message,
        )

    return sorted(findings, key=key)
