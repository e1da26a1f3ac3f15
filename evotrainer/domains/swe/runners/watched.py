"""What the watch in the sandbox (watch_inside.py) is given: hidden tests, which then lie there as empty files only."""

from collections.abc import Mapping

from evotrainer.domains.swe.checkout.snapshot import Snapshot
from evotrainer.domains.swe.runners.sentinels import Sentinels

PACKAGE = "evotrainer.domains.swe.runners"
BESIDE = (f"{PACKAGE}.hidden_inside", f"{PACKAGE}.watch_inside")
"""Modules of this folder that both runners take into the sandbox."""


def watched(snapshot: Snapshot, sentinels: Sentinels) -> tuple[dict[str, str], list[str]]:
    """Return the Python files to watch, path -> text, planted tests among them, and the attempt's own paths; nothing
    where the snapshot hides nothing. Hidden data is read by the tests through the code under test, and stays in place.
    """
    if not snapshot.hidden:
        return {}, []
    hidden = {path: snapshot.files[path] for path in sorted(snapshot.hidden) if path in snapshot.files}
    python = {path: text for path, text in hidden.items() if path.endswith(".py")}
    changed = [path for path in snapshot.changes if path not in snapshot.hidden]
    return python | {sentinels.path: sentinels.source}, changed


def emptied(files: Mapping[str, str | None], hidden: Mapping[str, str]) -> dict[str, str]:
    """Return the files that are there, with empty ones in the place of those to watch."""
    return {path: "" if path in hidden else text for path, text in files.items() if text is not None}
