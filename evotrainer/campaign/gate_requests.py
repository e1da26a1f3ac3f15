"""Questions that wait for a person: files in a campaign's scratch folder."""

import json
from pathlib import Path
from typing import Any

from evotrainer.campaign.layout import CampaignFiles


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
