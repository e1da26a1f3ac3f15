"""What a campaign's history recorded, and whether its files still say it.

    conf/campaign.yaml            the branch's first commit: num_versions, seed and evaluate.*, behind the claims
    versions/vNNN/verdict.json    the version's tag
    certificate/certificate.json  the commit that added it; it closes the campaign, removed later or not

Commands that show results compare Git's hashes of verdicts and certificate, which takes milliseconds; a run does so
when it goes on, when it closes a version, and before it reads the sealed split. Whether the certificate follows from
its rows is computed by `reproduce NAME certificate` and by the certify stage. Records and settings are imported where
they are read: a query needs the campaign's files alone, and most campaigns' settings are byte for byte those of their
first commit.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evotrainer.campaign.layout import BASE_VERSION
from evotrainer.errors import LineageError
from flows.workspace.git import git, hashes
from flows.workspace.worktree import Workspace, find_campaign, is_in_place

if TYPE_CHECKING:
    from evotrainer.records import VersionRecord

SETTINGS = "conf/campaign.yaml"
CERTIFICATE_FILE = "certificate/certificate.json"


def readable_campaign(main: Path, name: str) -> Workspace:
    """Return an existing campaign to read from; raises LineageError naming a result that is not as it was recorded.

    Where its worktree is in place, nothing is set up, so DVC stays out.
    """
    workspace = Workspace(main, name)
    workspace = workspace if is_in_place(workspace) else find_campaign(main, name)
    check_results(workspace)
    return workspace


def check_results(workspace: Workspace) -> None:
    """Raise LineageError for the first verdict or certificate whose bytes are not those of the commit that made it, and
    for settings that are not as they were declared.
    """
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


def certificate_commit(workspace: Workspace) -> str | None:
    """Return the commit that made the campaign's certificate; None while the sealed split was not read."""
    return _added(workspace, CERTIFICATE_FILE)


def check_declared(workspace: Workspace) -> None:
    """Raise LineageError where settings that the error budget rests on are not those of the campaign's first commit."""
    first = _added(workspace, SETTINGS)
    if first is None:
        return
    _refuse_rewritten(workspace, first)
    path = workspace.root / SETTINGS
    known = hashes(workspace.main, [f"{first}:{SETTINGS}"])[0]
    if path.is_file() and git(workspace.root, "hash-object", "--", SETTINGS) == known:
        return
    from evotrainer.config.plain_yaml import load_yaml

    declared = dict(_claim_settings(load_yaml(git(workspace.root, "show", f"{first}:{SETTINGS}"))))
    now = dict(_claim_settings(_settings_here(workspace, first)))
    for key in sorted(declared.keys() | now.keys()):
        if declared.get(key) != now.get(key):
            raise LineageError(
                f"{path}: {key} is {now.get(key)!r}, and the campaign declared {declared.get(key)!r} in its first "
                f"commit, {first[:10]}: its error budget and the draws of its claims follow from that. Set {key} back "
                "and commit it; for other settings start a new campaign"
            )


def _settings_here(workspace: Workspace, first: str) -> Mapping[str, Any]:
    """Return the settings in the worktree; raises LineageError with the way back where there are none."""
    import yaml

    from evotrainer.config.plain_yaml import load_yaml

    path = workspace.root / SETTINGS
    try:
        found = load_yaml(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError):
        found = None
    if not isinstance(found, dict) or not isinstance(found.get("evaluate") or {}, dict):
        raise LineageError(
            f"{path} is missing or holds no settings: restore it with "
            f"`git -C {workspace.root} checkout {first[:10]} -- {SETTINGS}`, and commit it"
        )
    return found


def _refuse_rewritten(workspace: Workspace, first: str) -> None:
    """Raise LineageError where a closed version stands on another first commit than the branch does today."""
    other = git(workspace.main, "tag", "--no-contains", first, "--list", workspace.tag("v*")).splitlines()
    if other:
        raise LineageError(
            f"branch {workspace.branch} was rewritten: {other[0]} does not stand on its first commit, {first[:10]}. "
            f"Go back to the recorded history, `git -C {workspace.root} reset --hard {other[-1]}`"
        )


def check_spent(workspace: Workspace, record: "VersionRecord") -> None:
    """Raise LineageError where a version's claim was tested at another level than its declared share.

    Settings that were edited while the version ran, and are back as they were, show here.
    """
    from evotrainer.config.plain_yaml import load_yaml

    check_results(workspace)
    declared = load_yaml((workspace.root / SETTINGS).read_text(encoding="utf-8"))
    share = declared["evaluate"]["error_budget"] / declared["num_versions"]
    recipe = record.confirmation.recipe if record.confirmation else None
    for claim in (record.verdict.gate, recipe):
        if claim is not None and claim.alpha != share:
            raise LineageError(
                f"{record.spec.version} tested a claim at the level {claim.alpha:.6g}, and its share of the declared "
                f"error budget is {share:.6g}: conf/campaign.yaml was edited while it ran. Run the campaign again"
            )


def check_open(workspace: Workspace) -> None:
    """Raise LineageError where the certificate has closed the campaign."""
    if certificate_commit(workspace):
        raise LineageError(closed_line(workspace))


def closed_line(workspace: Workspace) -> str:
    """Return in one line that a campaign is closed, and how its best recipe goes into a new one."""
    from evotrainer.campaign.lineage import diff_versions
    from evotrainer.campaign.repository import stored_certificate

    best = stored_certificate(workspace.files).read().incumbent
    changes = diff_versions(workspace.files, BASE_VERSION, best).changes
    settings = " ".join(f"{key}={_written(new)}" for key, (_, new) in changes.items())
    recipe = f"; its best recipe ({best}) as settings: {settings}" if settings else ""
    return (
        f"campaign '{workspace.name}' is closed by its certificate: more versions need a new campaign, "
        f"`evotrainer campaign run NEW_NAME SETTINGS`{recipe}"
    )


def restore_recorded(workspace: Workspace) -> list[str]:
    """Take the certificate's files from the commit that made it; return those that were otherwise."""
    made = certificate_commit(workspace)
    if made is None:
        return []
    root = workspace.root
    changed = git(root, "diff", "--name-only", made, "--", "certificate").splitlines()
    if changed:
        git(root, "checkout", "--quiet", made, "--", "certificate")
    return changed


def _added(workspace: Workspace, path: str) -> str | None:
    """Return the first commit of the campaign's branch that holds a file, also where a later one removed it."""
    options = ("--first-parent", "--diff-filter=A", "--format=%H")  # what was merged in later declares nothing
    found = git(workspace.main, "log", *options, f"refs/heads/{workspace.branch}", "--", path)
    return found.splitlines()[-1] if found else None


def _claim_settings(values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    yield from ((key, values.get(key)) for key in ("num_versions", "seed"))
    yield from ((f"evaluate.{key}", value) for key, value in (values.get("evaluate") or {}).items())


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
