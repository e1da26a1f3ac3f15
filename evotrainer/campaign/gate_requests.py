"""Questions that wait for a person, and answers given on the command line: files in a campaign's scratch folder."""

import json
from pathlib import Path
from typing import Any

from evotrainer.campaign.atomic import write_json_atomic
from evotrainer.campaign.gates import refusal
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.errors import LineageError
from evotrainer.records import GateDecision


def request_path(files: CampaignFiles, version: str) -> Path:
    """Return where the question of a version lies while it waits."""
    return files.root / "scratch" / "gates" / f"{version}.json"


def answer_path(files: CampaignFiles, version: str) -> Path:
    """Return where the command line leaves an answer."""
    return files.root / "scratch" / "gates" / f"{version}.answer.json"


def open_requests(files: CampaignFiles) -> list[dict[str, Any]]:
    """Return the questions that wait: version, gate, question (Markdown), expires (local time)."""
    paths = sorted((files.root / "scratch" / "gates").glob("*.json"))
    return [json.loads(path.read_text()) for path in paths if not path.name.endswith(".answer.json")]


def waiting_lines(files: CampaignFiles) -> list[str]:
    """Return a line for each question that waits: which version, at which gate, until when, and how it is answered."""
    return [
        f"{one['version']} waits at {one['gate']} until {one['expires']}: "
        f"evotrainer gate {files.root.name} {one['version']}"
        for one in open_requests(files)
    ]


def give_answer(files: CampaignFiles, version: str, decision: GateDecision, text: str) -> str:
    """Leave the answer to the question of a version, and return its gate.

    Raises LineageError where none waits, and for an answer that the gate refuses.
    """
    waiting = {request["version"]: request["gate"] for request in open_requests(files)}
    if version not in waiting:
        raise LineageError(f"{version} does not wait at a gate; waiting: {', '.join(waiting) or 'none'}")
    if refused := refusal(waiting[version], decision, text):
        raise LineageError(refused)
    answer = {"gate": waiting[version], "decision": decision.upper(), "text": text}
    write_json_atomic(answer_path(files, version), answer)
    return waiting[version]


def take_answer(files: CampaignFiles, version: str, gate: str) -> dict[str, Any] | None:
    """Return what was answered at a gate, once; None where nothing was. An answer to another gate is dropped."""
    path = answer_path(files, version)
    if not path.is_file():
        return None
    found = json.loads(path.read_text())
    path.unlink()
    return {"decision": found["decision"], "text": found["text"]} if found["gate"] == gate else None
