"""Attempts that findings point to, to read beside them: the first of each finding, shortened."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.errors import EvidenceError

MAX_EXAMPLES = 60
MAX_MESSAGES = 8
MAX_CHARACTERS = 1200
"""Of one message."""


def read_examples(files: CampaignFiles, versions: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return {trajectory id: attempt} for the first example of each finding; empty where the evidence is not there.

    A campaign that was cloned has its records, not its rows: `dvc pull` brings them.
    """
    findings = [one for version in versions for one in (*version["findings"], *version["findings_before"])]
    wanted = list(dict.fromkeys(one["trajectory_ids"][0] for one in findings if one["trajectory_ids"]))[:MAX_EXAMPLES]
    if not wanted:
        return {}
    from evotrainer.evidence.views import open_evidence  # DuckDB, which a page without examples does without

    names = ("trajectory_id", "correct", "reward", "messages")
    question = f"SELECT {', '.join(names)} FROM all_trajectories WHERE trajectory_id IN (SELECT unnest(?))"
    try:
        rows = open_evidence(files, "all_trajectories").execute(question, [wanted]).fetchall()
    except EvidenceError:
        return {}
    return {row[0]: _shortened(dict(zip(names, row, strict=True))) for row in sorted(rows, key=lambda row: row[0])}


def _shortened(row: dict[str, Any]) -> dict[str, Any]:
    messages = row["messages"]
    kept = messages if len(messages) <= MAX_MESSAGES else [*messages[:2], *messages[2 - MAX_MESSAGES :]]
    return row | {"messages": [_message(message) for message in kept]}


def _message(message: Mapping[str, Any]) -> dict[str, Any]:
    calls = [{"name": call["name"], "arguments": _cut(call["arguments"])} for call in message["tool_calls"]]
    return {**message, "content": _cut(message["content"]), "tool_calls": calls}


def _cut(text: str) -> str:
    text = text if isinstance(text, str) else json.dumps(text)
    left_out = len(text) - MAX_CHARACTERS
    return text if left_out <= 0 else f"{text[:MAX_CHARACTERS]} … {left_out} characters more"
