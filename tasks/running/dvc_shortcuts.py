"""Three things that DVC does for every stage at great length, done with the same results in a tenth of the time.

DVC hashes each dependency four times a stage and walks its folder each time; the code of a campaign is 600 files. It
writes dvc.lock as a text with comments to keep, which needs a parser in Python; a dvc.lock has no comments. It looks
twice a second whether another process has left the repository; versions side by side hold it for a tenth of one.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dvc.lock
import dvc.output
import yaml
from dvc.stage import PipelineStage, Stage
from dvc.stage.serialize import to_lockfile

from evotrainer.campaign.atomic import write_atomic
from evotrainer.config.plain_yaml import load_yaml

Signature = tuple[tuple[str, int, int, int], ...]
"""Path, inode, time of change in nanoseconds and size of every file of a folder, byte code aside."""
BYTE_CODE = "__pycache__"
"""Named in .dvcignore: no hash holds it."""
LOCK_SECONDS = 0.15
"""DVC waits a sixth of it between two looks at a lock."""
_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


def wait_shortly() -> None:
    """Look often whether a lock of the repository is free."""
    dvc.lock.DEFAULT_TIMEOUT = LOCK_SECONDS  # pyright: ignore[reportPrivateImportUsage]


def remember_hashes() -> None:
    """Hash a folder that no cache takes in once, as long as no file in it is other than it was.

    DVC's own memory of files rests on the same: inode, time of change and size (dvc_data.hashfile.state).
    """
    dvc.output.build = _remembering(dvc.output.build)


def _remembering(build: Callable[..., Any]) -> Callable[..., Any]:
    known: dict[str, tuple[Signature, Any]] = {}

    def build_or_recall(odb: Any, path: str, fs: Any, name: str, **options: Any) -> Any:
        if not options.get("dry_run") or fs.protocol != "local" or not Path(path).is_dir():
            return build(odb, path, fs, name, **options)
        signature, key = _signature(path), f"{name}:{path}"
        if key not in known or known[key][0] != signature:
            known[key] = signature, build(odb, path, fs, name, **options)
        return known[key][1]

    return build_or_recall


def _signature(folder: str) -> Signature:
    """Return what tells whether a folder is as it was; like DVC, do not enter folders by a link."""
    found, folders = [], [folder]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name != BYTE_CODE:
                        folders.append(entry.path)
                else:
                    file = entry.stat()
                    found.append((entry.path, file.st_ino, file.st_mtime_ns, file.st_size))
    return tuple(sorted(found))


def write_lock(stage: Stage) -> None:
    """Record a stage in the dvc.lock beside its dvc.yaml, whole or not at all.

    The values are those of `stage.dump`, and so are the bytes where no text needs quotes or a second line.
    """
    assert isinstance(stage, PipelineStage)  # only these have a lock of their own
    path = Path(stage.path).with_suffix(".lock")
    values = load_yaml(path.read_text(encoding="utf-8")) if path.is_file() else {"schema": "2.0", "stages": {}}
    values["stages"] |= _plain(to_lockfile(stage))
    write_atomic(path, yaml.dump(values, Dumper=_DUMPER, sort_keys=False, allow_unicode=True))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value
