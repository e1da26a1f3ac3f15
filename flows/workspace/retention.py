"""Freeing disk without losing a version: the shared cache serves the main checkout and all campaigns.

`dvc gc -w` in the main checkout keeps what the main checkout refers to and would delete every campaign's models. Here
all checkouts of the repository count.
"""

import logging
from pathlib import Path

from dvc.repo import Repo

from flows.workspace.worktree import campaign_names, find_campaign


def collect_garbage(main: Path) -> int:
    """Delete from the cache what no checkout refers to; return the bytes freed."""
    cache = main / ".dvc" / "cache"
    before = _size(cache)
    worktrees = [str(find_campaign(main, name).root) for name in campaign_names(main)]
    logging.getLogger("dvc").setLevel(logging.ERROR)
    with Repo(str(main)) as repo:
        repo.gc(workspace=True, repos=worktrees, force=True)
    return before - _size(cache)


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
