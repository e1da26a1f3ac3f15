"""What a campaign was asked for, noted before its worktree is made, so that a start that was cut short goes on.

The branch of a campaign begins when its first commit is whole. Until then this note is all that there is of it:
scratch/starting/NAME.json, removed when the branch stands.
"""

import json
from collections.abc import Sequence
from pathlib import Path

from evotrainer.campaign.atomic import write_json_atomic


def note_start(main: Path, name: str, overrides: Sequence[str]) -> None:
    """Note the settings of a campaign that is about to start."""
    write_json_atomic(_path(main, name), {"settings": list(overrides)})


def noted_start(main: Path, name: str) -> list[str] | None:
    """Return the settings of a start that was cut short; None where there was none."""
    path = _path(main, name)
    return json.loads(path.read_text(encoding="utf-8"))["settings"] if path.is_file() else None


def forget_start(main: Path, name: str) -> None:
    """Remove the note of a start that is whole."""
    _path(main, name).unlink(missing_ok=True)


def _path(main: Path, name: str) -> Path:
    return main / "scratch" / "starting" / f"{name}.json"
