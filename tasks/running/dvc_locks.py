"""A copy of each dvc.lock as it was after its last stage: DVC writes the file in place, and a killed one leaves half.

scratch/dvc_locks/v003.lock   the copy of versions/v003/dvc.lock
"""

import re
from pathlib import Path
from typing import Any

import yaml

from evotrainer.campaign.atomic import write_atomic
from evotrainer.campaign.subjects import Subject
from evotrainer.config.plain_yaml import load_yaml

HASH = re.compile(r"[0-9a-f]{32}(\.dir)?$")


def keep_lock(root: Path, subject: Subject) -> None:
    """Copy a subject's dvc.lock, which DVC has just written whole."""
    lock = _lock(root, subject)
    if lock.is_file():
        write_atomic(_folder(root) / f"{subject.name}.lock", lock.read_bytes())


def restore_locks(root: Path) -> list[Path]:
    """Put the copy in the place of each dvc.lock that is damaged; return these.

    A file that goes on where its copy ends is whole: the run ended before it was copied.
    """
    restored = []
    for copy in sorted(_folder(root).glob("*.lock")):
        lock = _lock(root, Subject.parse(copy.stem))
        if lock.parent.is_dir() and not _goes_on(_stages(lock), _stages(copy) or {}):
            write_atomic(lock, copy.read_bytes())
            restored.append(lock)
    for lock in sorted(root.glob("versions/*/dvc.lock")):
        if _stages(lock) is None:  # cut short in its first stage: there was nothing to copy yet
            lock.unlink()
            restored.append(lock)
    return restored


def _goes_on(found: dict[str, Any] | None, kept: dict[str, Any]) -> bool:
    return found is not None and all(name in found and _outs(kept[name]) <= _outs(found[name]) for name in kept)


def _outs(stage: dict[str, Any]) -> set[str]:
    return {entry["path"] for entry in stage["outs"]}


def _stages(lock: Path) -> dict[str, Any] | None:
    """Return the stages of a dvc.lock; None where it is missing or damaged."""
    try:
        stages = load_yaml(lock.read_text(encoding="utf-8"))["stages"]
    except (OSError, UnicodeDecodeError, yaml.YAMLError, KeyError, TypeError):
        return None
    return stages if isinstance(stages, dict) and all(_is_whole(stage) for stage in stages.values()) else None


def _is_whole(stage: Any) -> bool:
    if not isinstance(stage, dict) or not all(stage.get(key) for key in ("cmd", "deps", "outs")):
        return False
    return all(isinstance(entry, dict) and HASH.match(str(entry.get("md5"))) for entry in stage["deps"] + stage["outs"])


def _lock(root: Path, subject: Subject) -> Path:
    return root / subject.folder / "dvc.lock"


def _folder(root: Path) -> Path:
    return root / "scratch" / "dvc_locks"
