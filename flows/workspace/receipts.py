"""The receipt of a version: what neither its tag nor dvc.lock knows of how it was made.

    git ─► the last commit that changed the code     this process and machine ─► packages, hardware, clock     costs/

It is committed with the version, and no DVC output. Nothing here decides anything.
"""

import importlib.metadata
import json
import os
import platform
from datetime import UTC, datetime
from pathlib import Path

import psutil

from evotrainer.campaign.documents import write_json_atomic
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.ledger import GPUS
from evotrainer.campaign.repository import read_costs
from flows.workspace.git import git, succeeds
from flows.workspace.worktree import Workspace

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
