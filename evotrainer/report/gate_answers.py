"""What a person decided where a version waited, in plain words: for `why`, the report and a gate's question."""

from collections.abc import Sequence
from typing import Any

from evotrainer.campaign.gates import read_answers
from evotrainer.campaign.layout import VersionFiles
from evotrainer.campaign.repository import StoredVersion
from evotrainer.records import GateAnswer, Intervention

WAYS = {"form": " in the form", "command": " by evotrainer gate", None: ""}
"""{how a person answered: its words}; of an older answer it is not known."""


def answers_data(own: VersionFiles) -> list[dict[str, Any]]:
    """Return every answer at the gates of a version in order, as plain values and in words."""
    proposal = StoredVersion(own).proposal.find()
    pool = proposal.pool if proposal else []
    return [one.model_dump(mode="json") | {"words": answer_words(one, pool)} for one in read_answers(own.gate_answers)]


def answer_words(answer: GateAnswer, pool: Sequence[Intervention]) -> str:
    """Return who answered what at which gate and when, with text and candidate, in one line."""
    decision = answer.decision.upper()
    if answer.answered_by == "timeout":
        told = f"nobody answered in time, so that {decision} was taken"
    else:
        told = f"a person answered {decision}{WAYS[answer.way]}"
    about = f", of {candidate_words(answer.candidate, pool)}" if answer.candidate else ""
    text = f': "{answer.text}"' if answer.text else ""
    return f"{answer.gate}{f', {answer.at}' if answer.at else ''}: {told}{about}{text}"


def candidate_words(candidate: str, pool: Sequence[Intervention]) -> str:
    """Return the change of a candidate where the pool still holds it, else its name."""
    found = next((one for one in pool if one.intervention_id == candidate), None)
    return f"candidate {candidate}" if found is None else diff_words(found)


def diff_words(one: Intervention) -> str:
    """Return every key that a candidate changes with its values."""
    return ", ".join(f"{key} {old} -> {new}" for key, (old, new) in one.diff.items())
