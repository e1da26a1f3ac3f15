"""Which Parquet files an evidence directory holds, and the hash of each: what is read is what was written.

Imports no Arrow: a query needs the paths alone.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from evotrainer.campaign.documents import write_json_atomic
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.errors import EvidenceError

DIGESTS = "digests.json"
TABLES = ("trajectories", "tokens", "features", "signals")
SCORED = "validation"
"""The stage whose rows a version's score rests on."""
_RECORDED = f"- path: {SCORED}\n"
"""How dvc.lock records those rows."""
RESTORE = "restore it with `dvc checkout`, or rerun the stage that wrote it"


def checked_files(directory: Path, name: str) -> list[Path]:
    """Return the Parquet files of one table, by step, after comparing each with its recorded hash.

    A file that digests.json does not list is ignored: it is being written, or was put there by hand.

    Raises:
        EvidenceError: a listed file is missing or altered, or the list itself is.

    """
    digests = _read_digests(directory)
    if not digests and (directory / "trajectories").is_dir():
        raise EvidenceError(f"{directory / DIGESTS} is missing: {RESTORE}")
    paths = []
    for relative in sorted(digests):
        if relative == "signals.parquet" if name == "signals" else relative.startswith(f"{name}/"):
            paths.append(directory / relative)
            if not paths[-1].exists():
                raise EvidenceError(f"{paths[-1]} is missing: {RESTORE}")
            if digests[relative] != hashlib.sha256(paths[-1].read_bytes()).hexdigest():
                raise EvidenceError(f"{paths[-1]} is corrupt, its hash differs from {DIGESTS}: {RESTORE}")
    return paths


def record_digest(directory: Path, relative: str, data: bytes) -> None:
    """Record the hash of a file that was written."""
    write_json_atomic(directory / DIGESTS, _read_digests(directory) | {relative: hashlib.sha256(data).hexdigest()})


def _read_digests(directory: Path) -> dict[str, str]:
    path = directory / DIGESTS
    if not path.exists():
        return {}
    try:
        digests: Any = json.loads(path.read_bytes())
        return {str(name): str(digest) for name, digest in digests.items()}
    except (ValueError, AttributeError):
        raise EvidenceError(f"{path} is corrupt: {RESTORE}") from None


def versions_without_rows(files: CampaignFiles) -> list[str]:
    """Return the versions whose recorded rows this checkout, a clone, lacks: a query over nothing is no answer."""
    locks = sorted(files.versions.glob("*/dvc.lock"))
    recorded = [path.parent for path in locks if _RECORDED in path.read_text(encoding="utf-8")]
    return [folder.name for folder in recorded if not (folder / SCORED).is_dir()]
