"""Files of a version, as the stages before the one under test would have left them."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from evotrainer.campaign.layout import CampaignFiles, VersionFiles
from evotrainer.campaign.repository import read_records, write_records
from evotrainer.config import SHARED_PLUGINS, content_hash
from evotrainer.records import HarnessReport, Intervention, Problem, Proposal, VersionSpec
from tests.plain_records import plain_backtest

ROOT = Path(__file__).resolve().parents[1]


def plan_version(files: CampaignFiles, spec: VersionSpec) -> VersionFiles:
    """Write what planning freezes: the spec, the lineage so far, and the diagnostics."""
    own = files.version(spec.version)
    own.spec.write(spec)
    write_records(own.lineage, read_records(files))
    for folder in SHARED_PLUGINS:
        shutil.copytree(ROOT / "harness_plugins" / folder, own.plugins / folder)
    return own


def write_choice(own: VersionFiles, made: Intervention | None, **metrics: float) -> None:
    """Write findings and a proposal that takes this intervention, or none."""
    version = own.root.name
    pool, chosen = ([made], made.intervention_id) if made else ([], None)
    own.findings.write(HarnessReport(version=version, harness_version="h", metrics=metrics))
    own.proposal.write(Proposal(version=version, pool=pool, backtests=[], agent="rules", chosen=chosen))


def write_backtest(own: VersionFiles, accepted: bool = True, reason: str = "") -> None:
    """Write the backtest of whatever was chosen."""
    own.backtest.write(plain_backtest(accepted=accepted, reason=reason, order_violations=0.0, mistruncated_correct=0.0))


def contents(*places: Path) -> list[tuple[str, str]]:
    """Return the name and the hash of each file in these places."""
    files = [(place, path) for place in places for path in sorted([place, *place.rglob("*")]) if path.is_file()]
    return [(str(path.relative_to(place)), content_hash(path.read_bytes().hex())) for place, path in files]


def write_problems(folder: Path, **splits: Sequence[Problem]) -> None:
    """Write problems as rows of a person's own set, each split with ids of its own."""
    folder.mkdir(parents=True)
    for split, problems in splits.items():
        rows = [
            {"id": f"{split}-{p.problem_id}", "problem": p.prompt, "answer": p.answer, "family": p.family}
            for p in problems
        ]
        (folder / f"{split}.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n")
