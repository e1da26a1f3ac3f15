"""The procedure: in which order findings are read, by a person and by the trainer agent.

Evidence has layers (method: score, signal, behaviour). A diagnostic belongs to the layer that its numbers come from;
the order in force decides which layer is read first. Within a layer, and where no order is in force, the worst come
first. An `invalid` finding precedes all: what rests on a false score need not be read.
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
    """Return the layer whose evidence a diagnostic, or a mode, reads; what is new reads behaviour."""
    return "score" if diagnostic in _SCORE else "signal" if diagnostic in _SIGNAL else "behaviour"


def in_order(findings: Sequence[Finding], order: str = DEFAULT_ORDER) -> list[Finding]:
    """Return findings as they are read under an order such as "signal-first"."""
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
