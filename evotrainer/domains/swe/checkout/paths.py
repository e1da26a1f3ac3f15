"""Paths of a repository as tools take them: relative, with slashes, never out of the tree nor into .git."""

from collections.abc import Mapping
from pathlib import PurePosixPath

from evotrainer.domains.swe.checkout.text import encode, is_text

MAX_PATH_BYTES = 200


class OutsideError(ValueError):
    """A path that leaves the repository or enters .git; the message is what the policy reads."""


def inside(path: str, *, is_folder: bool = False) -> str:
    """Return a path in its plain form; raises OutsideError for one outside. A folder may be empty: the top."""
    if "\0" in path or "\n" in path or not is_text(path) or len(encode(path)) > MAX_PATH_BYTES:
        raise OutsideError("bad path")
    pure = PurePosixPath(path.strip())
    parts = [part for part in pure.parts if part != "."]
    if pure.is_absolute() or ".." in parts or path.startswith("~"):
        raise OutsideError("path is outside the repository")
    if ".git" in (part.lower() for part in parts):
        raise OutsideError(".git cannot be opened, use the git tool")
    if not parts and not is_folder:
        raise OutsideError("path is missing")
    return "/".join(parts)


def below(files: Mapping[str, str], folder: str) -> list[str]:
    """Return the paths in a folder, or the one that it names, sorted; all for the empty folder."""
    return sorted(path for path in files if not folder or path == folder or path.startswith(f"{folder}/"))
