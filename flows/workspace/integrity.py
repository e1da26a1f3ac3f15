"""Whether the bytes in a checkout are the ones that its dvc.lock records.

DVC hashes what it sees change; what it links from its cache or pulls from a remote it believes. A byte that was altered
in both is therefore no change to DVC. Here everything that a version reads or writes and that Git does not hold is
hashed again. What Git holds is checked by Git.
"""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

import yaml

from evotrainer.domains.problem_sets.build import directory_hash
from flows.workspace.data import object_path
from flows.workspace.git import git
from flows.workspace.storage import cache_folder

NOTHING = "nothing"
"""Stands for the hash of a path that is not there."""


def first_altered(root: Path, version: str, *, outputs: bool) -> str | None:
    """Return the first path whose bytes are not those recorded, with both hashes; None where all agree.

    `outputs` says whether what the version's own stages wrote is looked at, beside what it stands on.
    """
    folder = root / "versions" / version
    stages = yaml.safe_load((folder / "dvc.lock").read_text(encoding="utf-8"))["stages"].values()
    written = {entry["path"]: entry for stage in stages for entry in stage.get("outs", [])}
    read = {entry["path"]: entry for stage in stages for entry in stage.get("deps", [])}
    chosen = {path: entry for path, entry in read.items() if path not in written} | (written if outputs else {})
    for path, entry in sorted(chosen.items()):
        place = (folder / path).resolve()
        if not place.is_relative_to(root.resolve()) or "md5" not in entry or git(root, "ls-files", "--", str(place)):
            continue
        found = _hash(place)
        if found != entry["md5"]:
            shown = place.relative_to(root.resolve())
            return (
                f"{shown} holds other bytes than versions/{version}/dvc.lock records: {entry['md5']} recorded, {found} "
                "pulled: the cache and the remote are damaged there, name an intact remote with --remote"
            )
    return None


@dataclass(frozen=True)
class Altered:
    """An output whose bytes are not those recorded."""

    path: Path
    objects: list[str]
    """Hashes of the objects in the DVC cache that are not what their name says."""


def altered_outputs(root: Path, target: str) -> list[Altered]:
    """Return what a DVC file records as cached output and is otherwise here; everything is hashed."""
    place = root / target
    recorded = place.with_suffix(".lock") if place.name == "dvc.yaml" else place
    values = yaml.safe_load(recorded.read_text(encoding="utf-8"))
    stages = values["stages"].values() if "stages" in values else [values]
    found = []
    for entry in (entry for stage in stages for entry in stage.get("outs", [])):
        path = (place.parent / entry["path"]).resolve()
        is_cached = "md5" in entry and not git(root, "ls-files", "--", str(path))
        if is_cached and _hash(path) != entry["md5"]:
            found.append(Altered(path, _damaged_objects(cache_folder(root), entry["md5"])))
    return found


def _damaged_objects(cache: Path, recorded: str) -> list[str]:
    """Return the objects of an output that lie in the cache with other bytes than their hash says."""
    listing = object_path(cache, recorded)
    if not listing.is_file():
        return []
    if hashlib.md5(listing.read_bytes()).hexdigest() != recorded.removesuffix(".dir"):
        return [recorded]
    files = [entry["md5"] for entry in json.loads(listing.read_bytes())] if recorded.endswith(".dir") else []
    return [found for found in files if _hash(object_path(cache, found)) not in (found, NOTHING)]


def _hash(place: Path) -> str:
    if place.is_dir():
        return directory_hash(place)
    return hashlib.md5(place.read_bytes()).hexdigest() if place.is_file() else NOTHING
