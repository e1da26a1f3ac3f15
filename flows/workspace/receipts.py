"""The receipt of a version: gathered from its checkout when it is closed, and again when it is reproduced.

    git ─► code     campaign.yaml, config.yaml ─► config     dvc.lock ─► inputs, outputs     verdict.json ─► procedure
    problem files, tokenizer ─► their hashes                 this process and machine ─► packages, hardware, clock

Nothing here decides anything: what a checkout lacks has no line. flows/workspace/receipts.py compares two of them.
"""

import hashlib
import importlib.metadata
import json
import os
import platform
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psutil

from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles
from evotrainer.campaign.ledger import GPUS
from evotrainer.campaign.repository import REPEATABLE_COSTS, read_record
from evotrainer.config import Config, load_config
from evotrainer.config.yaml_files import load_yaml
from evotrainer.engines import policy_path
from evotrainer.records import Receipt, ReceiptLine, VersionRecord
from flows.workspace.git import git, succeeds, tree_hashes
from flows.workspace.worktree import Workspace

CODE = ("cli", "evotrainer", "flows", "harness_plugins", "tasks")
FILES = ("dvc.lock", "verdict.json", "metrics.json", "confirmation.json", "gates/answers.json")
PROCESSORS = Path("/proc/cpuinfo")
TOKENIZER_FILES = (
    "tokenizer.json",
    "tokenizer.model",
    "vocab.json",
    "vocab.txt",
    "merges.txt",
    "added_tokens.json",
    "special_tokens_map.json",
    "tokenizer_config.json",
)


def gather_receipt(root: Path, version: str) -> Receipt:
    """Return the receipt of a version whose stages have ended, in the checkout at `root`."""
    files = CampaignFiles(root)
    version_files, record, config = files.version(version), read_record(files, version), load_config(files.config)
    inputs, outputs = _of_stages(version_files.root / "dvc.lock")
    return Receipt(
        campaign=record.spec.campaign,
        version=version,
        code=_code(root),
        config=_hashes({"campaign": files.config, "recipe": version_files.config}),
        problems=_hashes({path.relative_to(root).as_posix(): path for path in _problem_files(files, config)}),
        inputs=inputs,
        policy=_policy(files, config, record),
        procedure=_procedure(files, record),
        seeds={"campaign": record.spec.campaign_seed, "replicate": record.spec.replicate},
        outputs=outputs,
        files=_hashes({name: version_files.root / name for name in FILES}),
        packages=packages(),
        hardware=hardware(),
        costs=record.cost,
        closed_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def recorded_receipt(workspace: Workspace, version: str) -> Receipt | None:
    """Return the receipt that a closed version was tagged with; None where it was closed without one."""
    place = f"{workspace.tag(version)}:versions/{version}/receipt.json"
    if not succeeds(workspace.main, "cat-file", "-e", place):
        return None
    return workspace.files.version(version).receipt.parse(git(workspace.main, "show", place), place)


def write_receipt(files: CampaignFiles, version: str) -> Path:
    """Write the receipt of a version that is about to be closed; return its file."""
    document = files.version(version).receipt
    document.write(gather_receipt(files.root, version))
    return document.path


def _code(root: Path) -> dict[str, str]:
    """Return the last commit that changed the code, and the trees as they are: an edit without commit shows in them."""
    return {"commit": git(root, "log", "-1", "--format=%H", "--", *CODE), **tree_hashes(root, CODE)}


def _problem_files(files: CampaignFiles, config: Config) -> list[Path]:
    place = files.root / config.domain.data_path
    return [place] if place.is_file() else sorted(path for path in place.rglob("*") if path.is_file())


def _of_stages(lock: Path) -> tuple[dict[str, str], dict[str, str]]:
    """Return what the stages of a version read from outside of it, and what they wrote: {path: hash}."""
    stages = load_yaml(lock.read_text(encoding="utf-8"))["stages"].values() if lock.is_file() else []
    written = _entries(stages, "outs")
    read = _entries(stages, "deps")
    return {path: found for path, found in read.items() if path not in written}, written


def _entries(stages: Iterable[dict[str, Any]], kind: str) -> dict[str, str]:
    entries = [entry for stage in stages for entry in stage.get(kind, [])]
    return dict(sorted((entry["path"], str(entry.get("md5") or entry.get("etag", ""))) for entry in entries))


def _policy(files: CampaignFiles, config: Config, record: VersionRecord) -> dict[str, str]:
    trained = policy_path(files, config, record.spec.version)
    folder = trained if (trained / "config.json").is_file() else policy_path(files, config, BASE_VERSION)
    tokenizer = {name: folder / name for name in TOKENIZER_FILES}
    template = _template(folder)
    return {
        **({"trained": record.policy_hash} if record.policy_hash else {}),
        **_hashes(tokenizer),
        **({"chat_template": _sha256(template.encode())} if template else {}),
    }


def _template(folder: Path) -> str:
    """Return the chat template of a policy, wherever its directory keeps it; nothing where it has none."""
    if (folder / "chat_template.jinja").is_file():
        return (folder / "chat_template.jinja").read_text(encoding="utf-8")
    path = folder / "tokenizer_config.json"
    found = json.loads(path.read_bytes()).get("chat_template", "") if path.is_file() else ""
    return found if isinstance(found, str) else json.dumps(found, sort_keys=True)


def _procedure(files: CampaignFiles, record: VersionRecord) -> dict[str, str]:
    verdict = record.verdict
    start = git(files.root, "ls-tree", "HEAD", "memory").split()
    return {"harness": verdict.harness_version, "gate": verdict.gate_version, **({"memory": start[2]} if start else {})}


def _hashes(paths: dict[str, Path]) -> dict[str, str]:
    return {name: _sha256(path.read_bytes()) for name, path in paths.items() if path.is_file()}


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


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


MUST_AGREE = ("code", "config", "problems", "inputs", "policy", "procedure", "seeds", "outputs", "files")
MAY_DIFFER = ("packages",)
INCOMPARABLE = ("hardware", "clock")
SECTIONS = (*MUST_AGREE, *MAY_DIFFER, "hardware", "costs")


def compare_receipts(recorded: Receipt, found: Receipt) -> list[ReceiptLine]:
    """Return every line of either receipt, in the order of the record's sections."""
    lines = [_line("identity", name, getattr(recorded, name), getattr(found, name)) for name in ("campaign", "version")]
    for section in SECTIONS:
        old, new = getattr(recorded, section), getattr(found, section)
        lines += [_line(section, name, old.get(name), new.get(name)) for name in dict.fromkeys((*old, *new))]
    return [*lines, _line("clock", "closed_at", recorded.closed_at, found.closed_at)]


def summary(lines: Sequence[ReceiptLine]) -> str:
    """Return how many lines agree, differ and cannot be compared, and how many of those that differ must not."""
    counts = {kind: sum(line.agreement == kind for line in lines) for kind in ("same", "differs", "not comparable")}
    broken = sum(line.is_broken for line in lines)
    judged = f"{broken} of them must not" if broken else "none of them must agree"
    differ = f"{counts['differs']} differ" + (f", {judged}" if counts["differs"] else "")
    return f"receipt: {counts['same']} lines are the same, {differ}, {counts['not comparable']} are not comparable"


def text(value: object) -> str:
    """Return a value as it is shown."""
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def _line(section: str, name: str, old: object, new: object) -> ReceiptLine:
    is_unknown = section == "costs" and (not name.endswith(REPEATABLE_COSTS) or old is None or new is None)
    is_compared = section not in INCOMPARABLE and not is_unknown
    return ReceiptLine(
        section=section,
        name=name,
        agreement=("same" if old == new else "differs") if is_compared else "not comparable",
        must_agree=is_compared and section not in MAY_DIFFER,
        recorded=_shown(old),
        found=_shown(new),
    )


def _shown(value: object) -> str | None:
    return None if value is None else text(value)
