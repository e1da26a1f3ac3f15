"""Finishing a version: evidence and model go to the remote, its files and receipt into one commit with a tag.

A tag promises that the version can be reproduced elsewhere. What it refers to is therefore pushed before it is made.

    dvc metrics diff version/NAME/v002 version/NAME/v003

DVC compares files of equal paths, and a version's own path holds its name. Each version's commit therefore carries its
metrics and its training curve under compared/ too. The certificate's commit closes the branch with the certified one's.

The receipt is what neither tag nor dvc.lock knows of how the version was made; nothing here decides anything:

    git ─► the last commit that changed the code     this process and machine ─► packages, hardware, clock     costs/
"""

import asyncio
import importlib.metadata
import json
import os
import platform
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import psutil
import yaml

from evotrainer.campaign.documents import write_atomic, write_json_atomic
from evotrainer.campaign.layout import BASE_VERSION, CERTIFICATE, CampaignFiles, Subject
from evotrainer.campaign.ledger import GPUS
from evotrainer.campaign.repository import read_costs, read_record
from flows.workspace.budget import charge_version
from flows.workspace.closed_versions import certificate_commit, check_open, check_results, closed_line
from flows.workspace.git import commit, git, succeeds
from flows.workspace.worktree import Workspace
from tasks.running.dvc import pull, run_dvc
from tasks.running.notify import send_notice
from tasks.running.progress import progress

_CERTIFICATE = "certificate/dvc.yaml"
COMPARED = "compared"
CURVES = ("reward", "entropy", "kl", "loss")


async def finish_version(workspace: Workspace, version: str, started: float) -> None:
    """Push, commit and tag a version whose stages have ended; versions that end together are finished one by one.

    `started` is the reading of time.monotonic() at which its flow began.
    """
    async with _one_at_a_time():
        record = read_record(workspace.files, version)
        check_open(workspace)
        check_results(workspace)
        await push(workspace, [version])
        charge_version(workspace, version, started)
        write_receipt(workspace.files, version)
        summary = f"{version} {record.verdict.outcome}: {record.verdict.claim}"
        _commit_and_tag(workspace, version, summary)
        progress().line(verdict_line(workspace, version))
    await send_notice(workspace.files, "verdict", record.verdict.outcome, verdict_line(workspace, version))


async def finish_certificate(workspace: Workspace) -> None:
    """Push and commit the certificate, and the certified version's metrics as those of the branch's end."""
    async with _one_at_a_time():
        await run_dvc(workspace.root, CERTIFICATE, "push", _CERTIFICATE)
        certified = workspace.files.certified.read().incumbent
        paths = ["certificate", write_comparison(workspace.files, certified)]
        commit(workspace.root, "Certificate on the sealed test split", paths)
    await send_notice(workspace.files, "certificate", certified, f"it is made: evotrainer certificate {workspace.name}")


async def restore_certificate(workspace: Workspace) -> bool:
    """Bring back the rows of the certificate and return True; False where the sealed split was not read yet."""
    if certificate_commit(workspace) is None:
        return False
    if not (workspace.files.certificate / "test").is_dir():
        await pull(workspace.root, CERTIFICATE, [_CERTIFICATE])
    progress().line(f"the sealed split was read before: its certificate stands; {closed_line(workspace)}")
    return True


def commit_report(workspace: Workspace) -> None:
    """Commit the report, so that a clone shows it too."""
    if (workspace.root / "report").is_dir():
        commit(workspace.root, "Report", ["report"])


async def push(workspace: Workspace, versions: list[str]) -> None:
    """Copy the outputs of these versions to the remote, with those that go with the base version."""
    await run_dvc(workspace.root, Subject.version(versions[0]), "push", *push_targets(workspace, versions))


def push_targets(workspace: Workspace, versions: list[str]) -> list[str]:
    """Return the DVC files of these versions; with the base version also data, base policy and certificate."""
    targets = [f"versions/{version}/dvc.yaml" for version in versions]
    if BASE_VERSION not in versions:
        return targets
    certificate = [_CERTIFICATE] if (workspace.root / _CERTIFICATE).is_file() else []
    return [*targets, *shared_inputs(workspace), *certificate]


def shared_inputs(workspace: Workspace) -> list[str]:
    """Return the DVC files that all versions depend on: data, base policy, and imported files."""
    imported = sorted(path.relative_to(workspace.root).as_posix() for path in workspace.root.glob("imported/*.dvc"))
    present = [name for name in ("data.dvc", "dvc.yaml") if (workspace.root / name).is_file()]
    return [*present, *imported]


def verdict_line(workspace: Workspace, version: str) -> str:
    """Return the outcome, score and changes of a finished version, in one line."""
    record = read_record(workspace.files, version)
    verdict = record.verdict
    interval = (
        f" [{verdict.score_low:.3f}, {verdict.score_high:.3f}]"
        if verdict.score_low is not None and verdict.score_high is not None
        else ""
    )
    score = f" score {verdict.score:.3f}{interval}" if verdict.score is not None else ""
    change = f"  {record.intervention.change}" if record.intervention else ""
    return f"{version} {verdict.outcome}{score}{change}"


def write_comparison(files: CampaignFiles, version: str) -> str:
    """Write compared/ for a version that is about to be committed; return the folder's path in the repository."""
    own, out = files.version(version), files.root / COMPARED
    write_atomic(out / "metrics.json", own.metrics.read_text(encoding="utf-8"))
    curve = own.curve.read_text(encoding="utf-8") if own.curve.is_file() else "[]\n"
    write_atomic(out / "curve.json", curve)
    plots = [{name: {"x": "step", "y": {"curve.json": name}}} for name in CURVES]
    write_atomic(out / "dvc.yaml", yaml.safe_dump({"metrics": ["metrics.json"], "plots": plots}, sort_keys=False))
    return COMPARED


def _commit_and_tag(workspace: Workspace, version: str, summary: str) -> None:
    paths = [f"versions/{version}", write_comparison(workspace.files, version)]
    intervention = workspace.files.intervention(version)
    if intervention.is_file():
        paths.append(str(intervention.relative_to(workspace.root)))
    if (workspace.root / "dvc.lock").is_file():
        paths.append("dvc.lock")
    git(workspace.main, "tag", workspace.tag(version), commit(workspace.root, summary, paths))


@cache
def _one_at_a_time() -> asyncio.Lock:
    return asyncio.Lock()


CODE = ("cli", "evotrainer", "flows", "harness_plugins", "tasks")
PROCESSORS = Path("/proc/cpuinfo")


def write_receipt(files: CampaignFiles, version: str) -> None:
    """Write the receipt of a version that is about to be closed."""
    own = files.version(version)
    found = {
        "commit": git(files.root, "log", "-1", "--format=%H", "--", *CODE),
        "packages": packages(),
        "hardware": hardware(),
        "costs": read_costs(own.costs),
        "closed_at": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    write_json_atomic(own.receipt, found)


def changed_since(workspace: Workspace, version: str) -> dict[str, str] | None:
    """Return what of hardware and packages differs from when a version was closed: {name: "recorded -> found"}.

    None where it was closed without a receipt.
    """
    place = f"{workspace.tag(version)}:versions/{version}/receipt.json"
    if not succeeds(workspace.main, "cat-file", "-e", place):
        return None
    receipt, changes = json.loads(git(workspace.main, "show", place)), dict[str, str]()
    for old, new in ((receipt["hardware"], hardware()), (receipt["packages"], packages())):
        names = [name for name in dict.fromkeys((*old, *new)) if old.get(name) != new.get(name)]
        changes |= {name: f"{old.get(name, 'none')} -> {new.get(name, 'none')}" for name in names}
    return changes


def packages() -> dict[str, str]:
    """Return the version of Python and of every installed package, by name."""
    heads = (distribution.metadata for distribution in importlib.metadata.distributions())
    found = {head["Name"].lower(): head["Version"] for head in heads if head["Name"]}
    return {"python": platform.python_version(), **dict(sorted(found.items()))}


def hardware() -> dict[str, str]:
    """Return processor, memory, accelerators and system of this machine."""
    gpus = [_value(path, "Model") or path.parent.name for path in sorted(GPUS.glob("*/information"))]
    return {
        "processor": _value(PROCESSORS, "model name") or platform.processor() or platform.machine(),
        "cores": str(os.cpu_count()),
        "memory": f"{psutil.virtual_memory().total / 1e9:.0f} GB",
        "accelerators": ", ".join(gpus) or "none",
        "system": platform.platform(),
    }


def _value(path: Path, name: str) -> str:
    """Return the first value of `name` in a file of `name: value` lines; nothing where there is none."""
    lines = path.read_text(errors="replace").splitlines() if path.is_file() else []
    pairs = [line.partition(":") for line in lines]
    return next((value.strip() for key, _, value in pairs if key.strip() == name), "")
