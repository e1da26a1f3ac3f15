"""A campaign's own checkout: git worktree campaigns/<name>/ on branch campaign/<name>.

    main checkout (yours)                      campaigns/<name>/ (the campaign's)
      branch, index, files: never touched  ->    code as it was at the start, versions/, conf/campaign.yaml
                                                 one commit and the tag version/<name>/v003 a finished version

Later edits of the main checkout change nothing here. Uncommitted changes at the start, with
modules that git does not know, become a snapshot commit on the campaign's branch.
"""

import difflib
import os
import re
import shutil
import signal
import time
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.locks import claim_lock, lock_holder
from evotrainer.errors import ConfigError, LineageError
from flows.workspace.git import commit_of, git, main_checkout, snapshot, succeeds, uncommitted, wait_for_writers

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
STOP_SECONDS = 120.0


@dataclass(frozen=True)
class Workspace:
    """A campaign's place in the repository."""

    main: Path
    name: str

    @property
    def root(self) -> Path:
        """The worktree."""
        return self.main / "campaigns" / self.name

    @property
    def files(self) -> CampaignFiles:
        """The files of the campaign."""
        return CampaignFiles(self.root)

    @property
    def overrides(self) -> Path:
        """The settings that the campaign was started with, one a line."""
        return self.root / "conf" / "overrides.txt"

    @property
    def branch(self) -> str:
        """The campaign's branch."""
        return f"campaign/{self.name}"

    def tag(self, version: str) -> str:
        """Return the tag of a closed version."""
        return f"version/{self.name}/{version}"

    def exists(self) -> bool:
        """Whether the campaign was started: its branch begins when it is whole."""
        return commit_of(self.main, f"refs/heads/{self.branch}") is not None

    def is_closed(self, version: str) -> bool:
        """Whether a version is finished, committed and tagged."""
        return commit_of(self.main, f"refs/tags/{self.tag(version)}") is not None

    def has_revision(self, revision: str) -> bool:
        """Whether a revision of the harness is finished and committed."""
        return succeeds(self.root, "cat-file", "-e", f"HEAD:harness/{revision}/revision.json")

    def closed_versions(self) -> list[str]:
        """Return the names of all closed versions, in order."""
        names = git(self.main, "tag", "--list", self.tag("v*")).splitlines()
        return sorted(name.rpartition("/")[2] for name in names)


def project_root() -> Path:
    """Return the main checkout that a command works on: the one around the current folder, else this program's own."""
    here = main_checkout(Path.cwd())
    if here is not None and (here / "flows" / "campaign.py").is_file() and (here / ".dvc").is_dir():
        return here
    return Path(__file__).resolve().parents[2]


def check_name(name: str) -> str:
    """Return a campaign's name if it can be a folder, a branch and a tag."""
    if "=" in name:
        raise ConfigError(f"'{name}' is a setting, and the name of the campaign comes before settings")
    if NAME.fullmatch(name) is None:
        raise ConfigError(f"'{name[:80]}' cannot name a campaign: use lower-case letters, digits, - and _, at most 64")
    return name


def find_campaign(main: Path, name: str) -> Workspace:
    """Return an existing campaign with its worktree in place; raises LineageError listing the nearest names."""
    workspace = Workspace(main, check_name(name))
    if not workspace.exists():
        raise no_campaign(main, name)
    _ensure_worktree(workspace)
    return workspace


def no_campaign(main: Path, name: str) -> LineageError:
    """Return the error of a name that no campaign has, with the nearest names."""
    known = campaign_names(main)
    near = difflib.get_close_matches(name, known, cutoff=0.5) or known[:5]
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    how = f"to start one, give settings, like `evotrainer campaign run {name} domain=math`, or --new for the defaults"
    return LineageError(f"there is no campaign '{name}': {hint}{how}")


def is_in_place(workspace: Workspace) -> bool:
    """Tell whether an existing campaign's worktree is there, so that reading it needs no set-up."""
    check_name(workspace.name)
    return (workspace.root / ".git").exists() and workspace.exists()


def find_version(workspace: Workspace, version: str) -> str:
    """Return the version if the campaign has it; raises LineageError listing what there is."""
    known = workspace.files.version_names()
    if version not in known:
        raise LineageError(f"campaign '{workspace.name}' has no version {version}: it has {', '.join(known) or 'none'}")
    return version


def campaign_names(main: Path) -> list[str]:
    """Return the names of all campaigns of this repository."""
    heads = git(main, "for-each-ref", "--format=%(refname:short)", "refs/heads/campaign/").splitlines()
    return sorted(head.partition("/")[2] for head in heads)


def check_startable(main: Path, name: str, require_clean: bool = False) -> None:
    """Raise LineageError where no campaign of this name can start, before anything is written.

    That is so for a dirty checkout under `require_clean`, a repository without a commit, and a name whose versions are
    tagged (a clone brings tags without their branch).
    """
    workspace = Workspace(main, check_name(name))
    if closed := workspace.closed_versions():
        raise LineageError(
            f"versions {closed[0]} to {closed[-1]} of a campaign '{name}' are tagged here, and its branch is not here: "
            f"choose another name, or bring its branch: git fetch origin {workspace.branch}:{workspace.branch}"
        )
    if commit_of(main, "HEAD") is None:
        raise LineageError(f"{main} has no commit yet: commit your files once, campaigns start from a commit")
    if require_clean and (changed := uncommitted(main)):
        raise LineageError(
            f"{len(changed)} files are not committed ({', '.join(changed[:3])}): commit them, "
            "or leave out --require-clean"
        )


def lay_out(workspace: Workspace) -> list[str]:
    """Make a new campaign's worktree, on no branch yet; return the files that were not committed."""
    from flows.workspace.storage import connect  # DVC's configuration: commands that only read do without

    clear(workspace)
    start, changed = snapshot(workspace.main, f"Snapshot of uncommitted changes for campaign {workspace.name}")
    git(workspace.main, "worktree", "add", "--quiet", "--detach", str(workspace.root), start)
    connect(workspace.root, workspace.main)
    return changed


def name_branch(workspace: Workspace) -> None:
    """Let the campaign's branch begin at the worktree's commit: from now on the campaign exists, whole."""
    start = git(workspace.root, "rev-parse", "HEAD")
    git(workspace.root, "symbolic-ref", "HEAD", f"refs/heads/{workspace.branch}")
    git(workspace.main, "update-ref", f"refs/heads/{workspace.branch}", start, "")


def clear(workspace: Workspace) -> None:
    """Remove the worktree of a campaign that has no branch: what a start left that was cut short."""
    wait_for_writers(workspace.root)  # a git that was started by a killed process goes on
    if workspace.root.exists():
        shutil.rmtree(workspace.root)
    for folder in (workspace.main / ".git" / "worktrees").glob("*"):  # `git worktree prune` leaves one half made
        pointer = folder / "gitdir"
        is_named = pointer.is_file() and Path(pointer.read_text().strip()).parent == workspace.root
        if is_named or (folder.name == workspace.name and not pointer.is_file()):
            shutil.rmtree(folder)


def campaign_lock(main: Path, name: str) -> AbstractContextManager[None]:
    """Hold the campaign's lock during a block; raises LineageError with the pid of another process that holds it.

    The kernel releases it when its holder ends, however it ends.
    """
    return claim_lock(lock_path(main, name), f"campaign '{name}'")


def holder(main: Path, name: str) -> int | None:
    """Return the pid that runs the campaign now, or None."""
    return lock_holder(lock_path(main, name))


def stop_holder(main: Path, name: str) -> int:
    """End the process that runs the campaign, wait for its end and return its pid; raises LineageError for none."""
    pid = holder(main, name)
    if pid is None:
        raise LineageError(f"campaign '{name}' does not run")
    os.kill(pid, signal.SIGTERM)
    end = time.monotonic() + STOP_SECONDS
    while holder(main, name) == pid:
        if time.monotonic() > end:
            raise LineageError(f"campaign '{name}' is told to end and still runs: wait, or kill -9 {pid}")
        time.sleep(0.2)  # the holder is no child: its lock is looked at until it is free
    return pid


def lock_path(main: Path, name: str) -> Path:
    """Return the lock file: beside the worktrees, so that deleting a campaign cannot delete it under a holder."""
    return main / "scratch" / "locks" / f"{name}.lock"


def delete(workspace: Workspace) -> None:
    """Remove a campaign's worktree, branch and tags. What was pushed to the remote stays there."""
    references = [f"refs/tags/{workspace.tag(version)}" for version in workspace.closed_versions()]
    clear(workspace)
    for reference in (*references, f"refs/heads/{workspace.branch}"):
        git(workspace.main, "update-ref", "-d", reference)


def _ensure_worktree(workspace: Workspace) -> None:
    """Check the campaign's branch out in its place, if it is not there (a fresh clone, a folder removed by hand)."""
    if not (workspace.root / ".git").exists():
        git(workspace.main, "worktree", "prune")
        git(workspace.main, "worktree", "add", "--quiet", str(workspace.root), workspace.branch)
    from flows.workspace.storage import connect  # DVC's configuration: commands that only read do without

    connect(workspace.root, workspace.main)
