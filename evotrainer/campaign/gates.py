"""Human gates of a version: what a person answered, and what follows from it.

    gates/revisions.json   what the propose stage depends on: revisions, and the end of the version
    gates/answers.json     every answer in its order, for the flow that goes on and for a reproduction

A version is gated if it was planned with gates/revisions.json. An answer that changes nothing that a stage reads stands
in answers.json alone, so that no stage runs again for it. So does the time of each answer.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from evotrainer.campaign.documents import RESTORE, first_error, write_json_atomic
from evotrainer.campaign.layout import CampaignFiles, VersionFiles
from evotrainer.config.limits import OWN_SIGN
from evotrainer.errors import LineageError
from evotrainer.records import GateAnswer, Verdict, VersionRecord

_ANSWERS = TypeAdapter(list[GateAnswer])
COMPLETION = "completion"
NEEDS_TEXT = ("diagnosis", COMPLETION)
"""Gates at which a revision is its text alone; at the others it sends a candidate back."""


def is_gated(own: VersionFiles) -> bool:
    """Tell whether a planned version waits for a person."""
    return own.revisions.is_file()


def begin(own: VersionFiles, files: CampaignFiles, records: Sequence[VersionRecord]) -> None:
    """Gate a version that is planned; it begins with what a person said of closed versions at their end."""
    write_answers(own.revisions, [word for record in records for word in said_at_end(files, record.spec.version)])


def said_at_end(files: CampaignFiles, version: str) -> list[GateAnswer]:
    """Return the revisions that a person asked for when a version was complete: they are for later ones."""
    answers = read_answers(files.version(version).gate_answers)
    return [answer.as_input for answer in answers if answer.gate == COMPLETION and answer.decision == "revise"]


def record_answer(own: VersionFiles, answer: GateAnswer) -> None:
    """Write an answer: for the flow and, where it changes the proposal, for the propose stage."""
    if answer.gate != COMPLETION and answer.decision != "approve":
        revisions = read_answers(own.revisions)
        if answer.as_input not in revisions:
            write_answers(own.revisions, [*revisions, answer.as_input])
    write_answers(own.gate_answers, [*read_answers(own.gate_answers), answer])


def reads_text(agent: str) -> bool:
    """Tell whether a trainer agent, by trainer.name, is told what a person writes at a gate."""
    return agent == "claude" or OWN_SIGN in agent


def refusal(gate: str, decision: str, text: str, agent: str) -> str:
    """Return why an answer at a gate is refused; empty for one that stands."""
    if decision == "revise" and gate in NEEDS_TEXT and not reads_text(agent):
        return f"REVISE at the {gate} is a text for the trainer agent, and trainer={agent} reads none: APPROVE or ABORT"
    if decision == "revise" and gate in NEEDS_TEXT and not text.strip():
        return f"REVISE at the {gate} needs a text (--text): it is what the trainer agent is told"
    return ""


def read_answers(path: Path) -> list[GateAnswer]:
    """Return the answers of a file; none where it does not exist."""
    if not path.is_file():
        return []
    try:
        return _ANSWERS.validate_json(path.read_bytes())
    except ValidationError as error:
        raise LineageError(f"{path} is damaged ({first_error(error)}): {RESTORE}") from None


def write_answers(path: Path, answers: Sequence[GateAnswer]) -> None:
    """Replace a file of answers."""
    write_json_atomic(path, [answer.model_dump(mode="json") for answer in answers])


def refused_candidates(own: VersionFiles) -> set[str]:
    """Return the candidates of a version that a person sent back."""
    return {one.candidate for one in read_answers(own.revisions) if one.decision == "revise" and one.candidate}


def given_up(own: VersionFiles) -> str:
    """Return why a person gave a version up before it trained, or nothing."""
    found = [one for one in read_answers(own.revisions) if one.decision == "abort"]
    return found[-1].ending if found else ""


def ended_by(own: VersionFiles, has_candidate: bool) -> GateAnswer | None:
    """Return the answer that ended a version: an ABORT, or the last REVISE where no candidate came after it."""
    aborts = [one.as_input for one in read_answers(own.gate_answers) if one.decision == "abort"]
    if aborts or has_candidate:
        return aborts[-1] if aborts else None
    sent_back = [one for one in read_answers(own.revisions) if one.decision == "revise" and one.candidate]
    return sent_back[-1] if sent_back else None


def remarks(own: VersionFiles) -> list[str]:
    """Return what a person said to the trainer agent of a version, in order."""
    found = []
    for one in read_answers(own.revisions):
        whose = "this version" if one.version == own.root.name else one.version
        about = f", candidate {one.candidate} sent back" if one.candidate else ""
        found += [f"At the {one.gate} of {whose}{about}: {one.text}"] if one.text else []
    return found


def rejudged(own: VersionFiles, verdict: Verdict) -> Verdict:
    """Return a verdict, rejected where a person rolled the complete version back; verdict.json keeps the decision."""
    found = [one for one in read_answers(own.gate_answers) if one.gate == COMPLETION and one.decision == "abort"]
    if not found:
        return verdict
    reason = f"{found[-1].ending}; decided before: {verdict.outcome}"
    return verdict.model_copy(update={"outcome": "rejected", "reasons": [*verdict.reasons, reason]})


def request_path(files: CampaignFiles, version: str) -> Path:
    """Return where the question of a version lies while it waits."""
    return files.root / "scratch" / "gates" / f"{version}.json"


def open_requests(files: CampaignFiles) -> list[dict[str, Any]]:
    """Return the questions that wait: version, gate, question (Markdown), expires (local time), run, url."""
    return [json.loads(path.read_text()) for path in sorted((files.root / "scratch" / "gates").glob("*.json"))]


def waiting_lines(files: CampaignFiles) -> list[str]:
    """Return a line for each question that waits: which version, at which gate, until when, and how it is answered."""
    return [
        f"{one['version']} waits at {one['gate']} until {one['expires']}: "
        f"evotrainer gate {files.root.name} {one['version']}"
        for one in open_requests(files)
    ]
