"""What a version changes, and how a person ended it, in words: for table, page, figures and model card."""

from collections.abc import Sequence

from evotrainer.campaign.lineage import brought_by
from evotrainer.records import GateAnswer, VersionRecord

UNCHANGED = {"base": "base policy", "baseline": "campaign recipe", "continuation": "trained on, unchanged"}
"""{kind: what is shown of a version that changes nothing}."""


def change_text(record: VersionRecord) -> str:
    """Return what a version changes, each key with its values; of an empty one, why."""
    if record.intervention is None:
        return _without(record)
    return ", ".join(f"{key.split('.')[-1]} {old} → {new}" for key, (old, new) in record.intervention.diff.items())


def change_words(record: VersionRecord) -> str:
    """Return the same in the few words that a figure has room for: the factor alone."""
    if record.intervention is None:
        return _without(record)
    if record.spec.kind == "merge":
        return "merge of " + " + ".join(record.spec.parents)
    return record.intervention.factor.replace("_", " ").replace("+", " + ")


def setting_origins(record: VersionRecord, records: Sequence[VersionRecord]) -> dict[str, str]:
    """Return of a merge which version brought each of its settings: {key: version}; of others nothing."""
    if record.spec.kind != "merge" or record.intervention is None:
        return {}
    return {key: brought_by(records, record.spec.version, key) for key in record.intervention.diff}


def ending(record: VersionRecord) -> str:
    """Return in a sentence's part how an answer at a gate ended the version, with its text; empty where none did."""
    found = record.ended_by
    if found is None:
        return ""
    who = "a person" if found.answered_by == "person" else "the timeout"
    text = f' ("{found.text}")' if found.text else ""
    if found.decision == "revise":
        return f"{who} sent its last candidate back at the {found.gate}{text}, so that nothing was trained"
    if found.gate == "completion":
        return f"{who} rolled it back at its completion{text}"
    return f"{who} gave it up at its {found.gate}{text}, so that nothing was trained"


def _without(record: VersionRecord) -> str:
    if not record.is_empty:
        return UNCHANGED[record.spec.kind]
    return _short(record.ended_by) if record.ended_by else "nothing to try"


def _short(found: GateAnswer) -> str:
    return "candidates sent back" if found.decision == "revise" else f"given up at {found.gate}"
