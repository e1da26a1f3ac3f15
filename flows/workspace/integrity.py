"""Whether the bytes in a checkout are the ones that its dvc.lock records.

DVC hashes what it sees change; what it links from its cache or pulls from a remote it believes. A byte that was altered
in both is therefore no change to DVC. Here everything that a version reads or writes and that Git does not hold is
hashed again. What Git holds is checked by Git.
"""

import hashlib
from pathlib import Path

import yaml

from evotrainer.domains.problem_sets.build import directory_hash
from flows.workspace.git import git


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


def _hash(place: Path) -> str:
    if place.is_dir():
        return directory_hash(place)
    return hashlib.md5(place.read_bytes()).hexdigest() if place.is_file() else "nothing"
