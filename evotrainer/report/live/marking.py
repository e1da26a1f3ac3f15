"""Findings in the text of an attempt: which ones name it, and where the words that they quote stand."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup, escape

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.repository import StoredVersion
from evotrainer.report.inert import inert

_QUOTED = re.compile(r"'([^']{3,80})'|\"([^\"]{3,80})\"|`([^`]{3,80})`")


def findings_about(files: CampaignFiles, trajectory_id: str) -> list[dict[str, Any]]:
    """Return the findings of all versions that name an attempt among their examples."""
    found = []
    for name in files.version_names():
        stored = StoredVersion(files.version(name))
        for report in (stored.findings.find(), stored.audit.find()):
            found += [one.model_dump(mode="json") for one in (report.findings if report else [])]
    about = [one for one in found if trajectory_id in one["trajectory_ids"]]
    return list({(one["mode"], one["version"]): one for one in about}.values())


def marked(text: str, findings: Sequence[Mapping[str, Any]]) -> Markup:
    """Return text, escaped, in which words that a finding quotes are marked with its mode."""
    quotes = {
        next(filter(None, quote)): finding["mode"]
        for finding in findings
        for quote in _QUOTED.findall(finding["message"])
    }
    if not quotes:
        return escape(inert(text))
    pattern = "|".join(re.escape(quote) for quote in sorted(quotes, key=len, reverse=True))
    parts, end = [], 0
    for hit in re.finditer(pattern, text):
        parts += [escape(inert(text[end : hit.start()])), _mark(hit.group(), quotes[hit.group()])]
        end = hit.end()
    return Markup("").join([*parts, escape(inert(text[end:]))])


def _mark(text: str, mode: str) -> Markup:
    return Markup('<mark title="{}">{}</mark>').format(mode, inert(text))
