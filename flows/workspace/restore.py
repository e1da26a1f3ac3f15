"""What a campaign had closed is put back as it was closed, before a run goes on with it.

    tracked files   compared with the branch's last commit, and taken from it
    outputs         compared with the hashes in dvc.lock, and taken from the cache, else from the remote

Stages trust what lies in the folders of closed versions: a truncated model would train every later version from it.
"""

from pathlib import Path

from evotrainer.campaign.subjects import Subject
from evotrainer.errors import EvoTrainerError, LineageError
from flows.workspace.finish_version import shared_inputs
from flows.workspace.git import git, succeeds
from flows.workspace.integrity import altered_outputs, drop
from flows.workspace.worktree import Workspace
from tasks.running.dvc import run_action
from tasks.running.dvc_locks import restore_locks
from tasks.running.progress import progress

ALWAYS = ("conf/campaign.yaml", "conf/overrides.txt", "harness", "certificate")


def restore_tracked(workspace: Workspace) -> None:
    """Take the files of closed versions, and the settings, from the branch where they are otherwise in the worktree."""
    root, closed = workspace.root, workspace.closed_versions()
    if not succeeds(root, "ls-files", "--error-unmatch", "data.dvc"):
        git(root, "read-tree", "HEAD")  # killed while git wrote its index
    own = [path for version in closed for path in (f"versions/{version}", f"conf/intervention/{version}.yaml")]
    tracked = set(git(root, "diff", "--name-only", "HEAD", "--", *ALWAYS, *own).splitlines())
    open_folders = tuple(f"versions/{version}/" for version in workspace.files.version_names() if version not in closed)
    missing = git(root, "diff", "--name-only", "--diff-filter=D", "HEAD").splitlines()
    tracked |= {path for path in missing if not path.startswith(open_folders or ("versions/",))}
    if tracked:
        git(root, "checkout", "--quiet", "HEAD", "--", *sorted(tracked))
        progress().line(_told(sorted(tracked), "as committed"))


async def restore_outputs(workspace: Workspace) -> None:
    """Take evidence, models and shared inputs from cache or remote where they are not as recorded.

    Raises LineageError naming the file where neither has it.
    """
    root, closed = workspace.root, workspace.closed_versions()
    restore_locks(root)
    if not closed:
        return
    targets = [*shared_inputs(workspace), *(f"versions/{version}/dvc.yaml" for version in closed)]
    subject = Subject.version(closed[0])
    changed = (await run_action(root, subject, "altered", targets=targets))["altered"]
    for target, paths in changed.items():
        await _fetch(root, subject, target)
        progress().line(_told(paths, "from cache or remote"))


async def _fetch(root: Path, subject: Subject, target: str) -> None:
    """Check the outputs of a DVC file out; where the cache itself is damaged, its objects are fetched anew."""
    try:
        await run_action(root, subject, "pull", targets=[target])
        if bad := altered_outputs(root, target):
            drop(root, bad)
            await run_action(root, subject, "pull", targets=[target])
    except EvoTrainerError as error:
        raise LineageError(f"what {target} records is damaged here and cannot be fetched: {error}") from None
    if bad := altered_outputs(root, target):
        raise LineageError(
            f"{bad[0].path} holds other bytes than {target} records, in cache and remote too: "
            "restore the remote from a copy, then run the same command again"
        )


def _told(paths: list[str], source: str) -> str:
    more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
    return f"restored {source}: {', '.join(paths[:3])}{more}"
