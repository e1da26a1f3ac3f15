"""What a stage had finished when its run was killed before DVC recorded it; such a stage is recorded, not run again.

scratch/stages/v003.train.json     there from the start of a stage until DVC has recorded it and holds its outputs
    command, inputs      what DVC was about to run, and the hash of each dependency before that
    outputs              their paths, seen from the version's folder
    files                null while the stage runs; its last act is to write size and time of each file of its outputs

A stage that was killed while it ran has no `files`: it runs again. One whose outputs or dependencies are not what the
note has of them runs again too.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from evotrainer.campaign.atomic import write_json_atomic
from evotrainer.campaign.subjects import Subject


def note_path(root: Path, subject: Subject, stage: str) -> Path:
    """Return where the note of a stage lies."""
    return root / "scratch" / "stages" / f"{subject.name}.{stage}.json"


def note_start(path: Path, command: str, inputs: Mapping[str, str], outputs: Sequence[str]) -> None:
    """Write what a stage is about to read and to write."""
    write_json_atomic(path, {"command": command, "inputs": inputs, "outputs": outputs, "files": None})


def note_end(root: Path, subject: Subject, stage: str) -> None:
    """Add the files that a stage has written; nothing for a stage that no flow started."""
    path = note_path(root, subject, stage)
    if path.is_file():
        note = _read(path)
        note["files"] = _states(root / subject.folder, note["outputs"])
        write_json_atomic(path, note)


def has_ended(path: Path) -> bool:
    """Tell whether a stage came to its end under a note that is still there."""
    return path.is_file() and _read(path)["files"] is not None


def is_as_noted(path: Path, folder: Path, command: str, inputs: Mapping[str, str]) -> bool:
    """Tell whether a stage that has ended read what lies there now, and what it wrote lies there unchanged."""
    note = _read(path)
    read, wrote = (note["command"], note["inputs"]), note["files"]
    return read == (command, dict(inputs)) and wrote == _states(folder, note["outputs"])


def _read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def _states(folder: Path, outputs: Sequence[str]) -> dict[str, list[int]]:
    """Return size and time of every file of these outputs; an output that is missing is an entry of its own."""
    return {name: state for output in outputs for name, state in _files(folder, output)}


def _files(folder: Path, output: str) -> Iterator[tuple[str, list[int]]]:
    path = folder / output
    if path.is_dir():
        for parent, _, names in os.walk(path):
            for name in names:
                file = Path(parent) / name
                yield os.path.relpath(file, folder), _state(file)
    else:
        yield output, _state(path) if path.is_file() else []


def _state(path: Path) -> list[int]:
    found = path.stat()
    return [found.st_size, found.st_mtime_ns]
