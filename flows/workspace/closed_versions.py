"""Whether a campaign's results are still what its history recorded, and putting closed versions back as they were.

    versions/vNNN/verdict.json    the version's tag
    certificate/certificate.json  the commit that added it; it closes the campaign, removed later or not
    conf/campaign.yaml            the branch's first commit: num_versions, seed and evaluate.*, behind the claims
    other tracked files           the branch's last commit, from which a run that goes on takes them

Commands that show results compare Git's hashes, which takes milliseconds; a run does so when it goes on, when it closes
a version, and before it reads the sealed split. Evidence and models are compared by stored_outputs.py.
"""

from pathlib import Path
from typing import Any

import yaml

from evotrainer.campaign.layout import BASE_VERSION
from evotrainer.config.yaml_files import load_yaml
from evotrainer.errors import LineageError
from flows.workspace.git import git, hashes, succeeds
from flows.workspace.worktree import Workspace, find_campaign, is_in_place

SETTINGS = "conf/campaign.yaml"
CERTIFICATE_FILE = "certificate/certificate.json"
ALWAYS = (SETTINGS, "conf/overrides.txt", "harness", "certificate")
"""Restored when a run goes on, beside the folders of closed versions."""


def readable_campaign(main: Path, name: str) -> Workspace:
    """Return an existing campaign to read from; raises LineageError naming a result that is not as it was recorded.

    Where its worktree is in place, nothing is set up, so DVC stays out.
    """
    workspace = Workspace(main, name)
    workspace = workspace if is_in_place(workspace) else find_campaign(main, name)
    check_results(workspace)
    return workspace


def check_results(workspace: Workspace) -> None:
    """Raise LineageError for the first result or setting that is not as it was recorded."""
    check_declared(workspace)
    check_recorded(workspace)


def check_recorded(workspace: Workspace) -> None:
    """Raise LineageError for the first verdict or certificate whose bytes are not those of the commit that made it."""
    recorded = {f"versions/{v}/verdict.json": workspace.tag(v) for v in workspace.closed_versions()}
    if made := certificate_commit(workspace):
        recorded[CERTIFICATE_FILE] = made
    kept = hashes(workspace.main, [f"{revision}:{path}" for path, revision in recorded.items()])
    root, here = workspace.root, [path for path in recorded if (workspace.root / path).is_file()]
    found = dict(zip(here, git(root, "hash-object", "--", *here).splitlines(), strict=True)) if here else {}
    for (path, revision), known in zip(recorded.items(), kept, strict=True):
        if known is not None and found.get(path) != known:
            what = "was changed after" if path in found else "is missing, and stands in"
            raise LineageError(
                f"{root / path} {what} the commit that recorded it, {revision[:30]}: "
                f"restore it with `git -C {root} checkout {revision[:30]} -- {path}`, and commit that where the change "
                "was committed"
            )


def check_declared(workspace: Workspace) -> None:
    """Raise LineageError where settings that the error budget rests on are not those of the campaign's first commit."""
    first = _first_commit_with(workspace, SETTINGS)
    if first is None:
        return
    path = workspace.root / SETTINGS
    try:
        now = _behind_claims(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError, AttributeError):
        now = None
    if now != _behind_claims(git(workspace.main, "show", f"{first}:{SETTINGS}")):
        raise LineageError(
            f"{path} is missing, or its num_versions, seed or evaluate is not what the campaign declared in its first "
            f"commit, {first[:10]}: its error budget and the draws of its claims follow from that. Restore it with "
            f"`git -C {workspace.root} checkout {first[:10]} -- {SETTINGS}`, and commit it; for other settings start a "
            "new campaign"
        )


def certificate_commit(workspace: Workspace) -> str | None:
    """Return the commit that made the campaign's certificate; None while the sealed split was not read."""
    return _first_commit_with(workspace, CERTIFICATE_FILE)


def check_open(workspace: Workspace) -> None:
    """Raise LineageError where the certificate has closed the campaign."""
    if certificate_commit(workspace):
        raise LineageError(closed_line(workspace))


def closed_line(workspace: Workspace) -> str:
    """Return in one line that a campaign is closed, and what its best recipe is."""
    best = workspace.files.certified.read().incumbent
    return (
        f"campaign '{workspace.name}' is closed by its certificate: more versions need a new campaign, "
        f"`evotrainer campaign run NEW_NAME SETTINGS`; `evotrainer diff {workspace.name} {BASE_VERSION} {best}` shows "
        "its best recipe"
    )


def restore_tracked(workspace: Workspace) -> list[str]:
    """Take the files of closed versions, and the settings, from the branch's last commit; return those that differed.

    Files of an open version stay as they are. A certificate that a commit removed comes from the commit that made it.
    """
    root, closed = workspace.root, workspace.closed_versions()
    if not succeeds(root, "ls-files", "--error-unmatch", "data.dvc"):
        git(root, "read-tree", "HEAD")  # killed while git wrote its index
    own = [path for version in closed for path in (f"versions/{version}", f"conf/intervention/{version}.yaml")]
    changed = set(git(root, "diff", "--name-only", "--diff-filter=a", "HEAD", "--", *ALWAYS, *own).splitlines())
    missing = git(root, "diff", "--name-only", "--diff-filter=D", "HEAD").splitlines()
    changed |= {path for path in missing if not path.startswith("versions/")}
    if changed:
        git(root, "checkout", "--quiet", "HEAD", "--", *sorted(changed))
    made = certificate_commit(workspace)
    if made and not (root / CERTIFICATE_FILE).is_file():  # removed by a commit: the sealed split was read all the same
        git(root, "checkout", "--quiet", made, "--", "certificate")
        changed.add(CERTIFICATE_FILE)
    return sorted(changed)


def _first_commit_with(workspace: Workspace, path: str) -> str | None:
    """Return the first commit of the campaign's branch that holds a file, also where a later one removed it."""
    options = ("--first-parent", "--diff-filter=A", "--format=%H")  # what was merged in later declares nothing
    found = git(workspace.main, "log", *options, f"refs/heads/{workspace.branch}", "--", path)
    return found.splitlines()[-1] if found else None


def _behind_claims(text: str) -> tuple[Any, ...]:
    values = load_yaml(text)
    return values.get("num_versions"), values.get("seed"), values.get("evaluate")
