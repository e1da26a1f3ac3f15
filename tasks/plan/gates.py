"""Whether a version that is planned waits for a person, by autonomy and by what became of the versions before it."""

from collections.abc import Sequence

from evotrainer.campaign.lineage import failures_in_a_row
from evotrainer.config import Config
from evotrainer.records import VersionKind, VersionRecord

GATED_KINDS = ("candidate", "merge")
"""Versions that change something: base and baseline are what the person started."""


def gates_in_force(config: Config, records: Sequence[VersionRecord], kind: VersionKind) -> bool:
    """Tell whether a version of this kind that is planned now waits for a person."""
    if kind not in GATED_KINDS:
        return False
    autonomy = config.autonomy
    is_escalated = autonomy.name == "escalate" and failures_in_a_row(records) >= autonomy.escalate_after
    return autonomy.name == "human_gated" or is_escalated
