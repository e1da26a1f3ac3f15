"""Paths that a person names: an empty one, as of a variable that is not set, is not the current folder."""

from pathlib import Path


def named_path(text: str) -> Path:
    """Return a path; raises EvidenceError for an empty one."""
    from evotrainer.errors import EvidenceError

    if not text:
        raise EvidenceError("the path is empty: name a file or a folder, . for this one")
    return Path(text)
