"""Where a campaign's DVC finds its cache and its remote: those of the main checkout.

A worktree has its own .dvc/ and would get its own cache, and a relative remote would point beside it. Its local
configuration therefore names what is the main checkout's by absolute path. It is never committed.
"""

import json
import logging
import shutil
import tempfile
from pathlib import Path
from typing import cast

from dvc.config import Config as DvcConfig
from dvc.config import ConfigError as DvcConfigError

from evotrainer.errors import ConfigError, LineageError
from flows.workspace.worktree import campaign_names, find_campaign

MIN_FREE_BYTES = 1_000_000_000
"""What must be free before a version starts; models and evidence of the embedded policy take a few megabytes."""


def connect(worktree: Path, main: Path, remote: str | None = None) -> None:
    """Write the worktree's local DVC configuration; `remote` (a path or URL) replaces the default remote."""
    if not (worktree / ".dvc" / "config").is_file():
        raise LineageError(f"{worktree} holds no DVC project: its commit is older than the first campaign's")
    settings = read_settings(main)
    name = settings["core"].get("remote", "storage")
    local = {
        "cache": {"dir": str(main / ".dvc" / "cache"), **settings["cache"]},
        "core": {"remote": name},
        "remote": dict(settings["remote"]),
    }
    if remote is not None:
        local["remote"][name] = {"url": remote if "://" in remote else str(Path(remote).expanduser().resolve())}
    _write_local(worktree, local)
    _drop_broken_lock_table(worktree)


def default_remote(main: Path) -> str:
    """Return the URL or path that versions are pushed to."""
    settings = read_settings(main)
    name = settings["core"].get("remote", "")
    if name not in settings["remote"]:
        raise ConfigError("no DVC remote is set: run `dvc remote add --default storage ../storage` (or s3://...)")
    return settings["remote"][name]["url"]


def read_settings(main: Path) -> dict:
    """Return the main checkout's DVC configuration, relative paths made absolute."""
    try:
        return DvcConfig(str(main / ".dvc"))
    except DvcConfigError as error:
        raise ConfigError(f"{main / '.dvc' / 'config'}: {error}") from None


def cache_folder(root: Path) -> Path:
    """Return where DVC keeps its objects for the checkout at `root`."""
    return Path(read_settings(root)["cache"].get("dir") or root / ".dvc" / "cache")


def check_free_space(root: Path, min_bytes: int = MIN_FREE_BYTES) -> None:
    """Raise LineageError where the disk of a folder, which may not be there yet, has too little room for a version."""
    free = shutil.disk_usage(next(one for one in (root, *root.parents) if one.exists())).free
    if free < min_bytes:
        raise LineageError(
            f"only {free / 1e9:.1f} GB free at {root}, {min_bytes / 1e9:.1f} GB needed: free some "
            "space, for instance with `evotrainer campaign gc NAME`"
        )


def collect_garbage(main: Path) -> int:
    """Delete from the shared cache what neither the main checkout nor any campaign refers to; return the bytes freed.

    `dvc gc -w` in the main checkout would delete every campaign's models.
    """
    from dvc.repo import Repo  # a second of imports that no other command needs

    cache = main / ".dvc" / "cache"
    before = _size(cache)
    worktrees = [str(find_campaign(main, name).root) for name in campaign_names(main)]
    logging.getLogger("dvc").setLevel(logging.ERROR)
    with Repo(str(main)) as repo:
        repo.gc(workspace=True, repos=worktrees, force=True)
    return before - _size(cache)


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _write_local(worktree: Path, local: dict) -> None:
    """Replace the file as a whole: a worker that starts without it would fill a cache of its own."""
    with tempfile.TemporaryDirectory(prefix=".dvc-", dir=worktree) as folder:  # beside .dvc: paths are kept relative
        with DvcConfig(folder).edit("local") as level:
            cast(dict, level).update(local)
        (Path(folder) / "config.local").replace(worktree / ".dvc" / "config.local")


def _drop_broken_lock_table(worktree: Path) -> None:
    """Remove DVC's table of used paths where a killed process left half of it: DVC would refuse to work."""
    table = worktree / ".dvc" / "tmp" / "rwlock"
    if not table.is_file():
        return
    try:
        json.loads(table.read_text())
    except json.JSONDecodeError:
        table.unlink()
