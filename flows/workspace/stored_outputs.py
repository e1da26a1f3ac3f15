"""Whether the bytes of evidence, models and problems are the ones that dvc.lock records, and getting them back.

DVC hashes what it sees change; what it links from its cache or pulls from a remote it believes. A byte that was altered
in both is therefore no change to DVC. A reproduction hashes everything again that a version reads or writes and that
Git does not hold. A run that goes on lets DVC look first, since stages trust what lies in the folders of closed
versions: a truncated model would train every later version from it.
"""

import asyncio
import hashlib
import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import yaml

from evotrainer.campaign.layout import Subject
from evotrainer.config.yaml_files import load_yaml
from evotrainer.domains.problem_sets.check import directory_hash
from evotrainer.errors import EvoTrainerError, LineageError
from flows.workspace.finish_version import shared_inputs
from flows.workspace.git import git
from flows.workspace.storage import cache_folder
from flows.workspace.worktree import Workspace
from tasks.running.dvc import pull
from tasks.running.progress import progress

NOTHING = "nothing"
"""Stands for the hash of a path that is not there."""


@dataclass(frozen=True)
class Altered:
    """An output whose bytes are not those recorded."""

    path: Path
    recorded: str
    found: str
    objects: list[str]
    """Hashes of the objects in the DVC cache that are not what their name says."""


def altered_of(root: Path, version: str, outputs: bool) -> list[Altered]:
    """Return what a version reads, and with `outputs` what it wrote, whose bytes are not those recorded."""
    folder = root / "versions" / version
    stages = load_yaml((folder / "dvc.lock").read_text(encoding="utf-8"))["stages"].values()
    written = {entry["path"]: entry for stage in stages for entry in stage.get("outs", [])}
    read = {entry["path"]: entry for stage in stages for entry in stage.get("deps", [])}
    chosen = {path: entry for path, entry in read.items() if path not in written} | (written if outputs else {})
    return _altered(root, folder, [entry for _, entry in sorted(chosen.items())])


def altered_outputs(root: Path, target: str) -> list[Altered]:
    """Return what a DVC file records as cached output and is otherwise here; everything is hashed."""
    place = root / target
    recorded = place.with_suffix(".lock") if place.name == "dvc.yaml" else place
    values = load_yaml(recorded.read_text(encoding="utf-8"))
    stages = values["stages"].values() if "stages" in values else [values]
    return _altered(root, place.parent, [entry for stage in stages for entry in stage.get("outs", [])])


def describe(root: Path, recorded_in: str, altered: Altered, remote: str | None) -> str:
    """Return in one line what is damaged, and how to get it intact; `remote` is the one that was named."""
    shown = altered.path.relative_to(root.resolve())
    advice = f"{remote} is damaged there too: name" if remote else "the cache is damaged, and the remote may be: name"
    return (
        f"{shown} holds other bytes than {recorded_in} records: {altered.recorded} recorded, {altered.found} pulled: "
        f"{advice} an intact remote with --remote"
    )


async def pull_intact(
    root: Path, subject: Subject, target: str, altered: Callable[[], list[Altered]], is_mended: bool
) -> list[Altered]:
    """Fetch a DVC file's outputs with all that they stand on; return what `altered` then finds.

    Where the cache itself is damaged, and `is_mended`, its objects are fetched anew.
    """
    await pull(root, subject, [target])
    bad = altered()
    if bad and is_mended:
        _drop(root, bad)
        await pull(root, subject, [target])
        bad = altered()
    return bad


def _drop(root: Path, bad: Sequence[Altered]) -> None:
    """Remove altered paths, and from the cache their objects that no longer have the bytes of their name.

    DVC would believe both, and fetch nothing in their place.
    """
    for altered in bad:
        for found in altered.objects:
            object_path(cache_folder(root), found).unlink(missing_ok=True)
        if altered.path.is_dir():
            shutil.rmtree(altered.path)
        else:
            altered.path.unlink(missing_ok=True)


async def restore_outputs(workspace: Workspace) -> None:
    """Take evidence, models and shared inputs from cache or remote where they are not as recorded.

    Raises LineageError naming the file where neither has it.
    """
    root, closed = workspace.root, workspace.closed_versions()
    _drop_damaged_locks(root)
    if not closed:
        return
    targets = [*shared_inputs(workspace), *(f"versions/{version}/dvc.yaml" for version in closed)]
    subject = Subject.version(closed[0])
    changed = await asyncio.to_thread(_seen_by_dvc, root, targets)
    for target, paths in changed.items():
        await _fetch(root, subject, target)
        progress().line(f"restored from cache or remote: {', '.join(paths)}")


def _seen_by_dvc(root: Path, targets: Sequence[str]) -> dict[str, list[str]]:
    """Name the cached outputs of each DVC file not as recorded; DVC trusts what is unchanged since it looked."""
    from dvc.repo import Repo  # half a second of imports that a new campaign does without

    found: dict[str, list[str]] = {}
    with Repo(str(root), _wait_for_lock=True) as repo:
        for target in targets:
            outs = [out for stage in repo.stage.load_file(str(root / target)) for out in stage.outs]
            kept = [out for out in outs if out.use_cache and out.hash_info]
            lost = [out.fs_path for out in kept if not out.exists or out.changed_checksum()]
            if lost:
                found[target] = [str(Path(path).relative_to(root)) for path in lost]
    return found


def _drop_damaged_locks(root: Path) -> None:
    """Remove what a killed DVC left half of, since it writes dvc.lock in place: the version's stages then run again."""
    for lock in sorted(root.glob("versions/*/dvc.lock")):
        try:
            is_whole = isinstance(load_yaml(lock.read_text(encoding="utf-8"))["stages"], dict)
        except (UnicodeDecodeError, yaml.YAMLError, KeyError, TypeError):
            is_whole = False
        if not is_whole:
            lock.unlink()
            progress().line(f"removed {lock.relative_to(root)}, which was damaged: its stages run again")


async def _fetch(root: Path, subject: Subject, target: str) -> None:
    try:
        bad = await pull_intact(root, subject, target, partial(altered_outputs, root, target), is_mended=True)
    except EvoTrainerError as error:
        raise LineageError(f"what {target} records is damaged here and cannot be fetched: {error}") from None
    if bad:
        raise LineageError(
            f"{bad[0].path} holds other bytes than {target} records, in cache and remote too: "
            "restore the remote from a copy, then run the same command again"
        )


def _altered(root: Path, folder: Path, entries: Sequence[Mapping[str, Any]]) -> list[Altered]:
    found = []
    for entry in entries:
        path = (folder / entry["path"]).resolve()
        is_ours = path.is_relative_to(root.resolve()) and "md5" in entry
        if is_ours and not git(root, "ls-files", "--", str(path)) and (here := _hash(path)) != entry["md5"]:
            objects = _damaged_objects(cache_folder(root), entry["md5"])
            found.append(Altered(path, entry["md5"], here, objects))
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


def object_path(cache: Path, found: str) -> Path:
    """Return where the DVC cache keeps the object with this hash."""
    return cache / "files" / "md5" / found[:2] / found[2:]


def _hash(place: Path) -> str:
    if place.is_dir():
        return directory_hash(place)
    return hashlib.md5(place.read_bytes()).hexdigest() if place.is_file() else NOTHING
