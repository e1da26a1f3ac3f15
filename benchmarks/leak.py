"""Benchmarks of whole campaigns: is the search worth its runs, and what does it make of a leak?

    arm x seed ─► campaign run (its own worktree and process) ─► certificate on the sealed test split ─► table, figure

`certificates` runs several seeds beside two controls, `leak` runs two arms on histories that hold the fix. Arms share
data, base policy, budget and the seeds of all draws. They differ in who proposes and how candidates follow each other.
A campaign that has its certificate is not run again, so an interrupted benchmark goes on where it stood.
"""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.repository import read_records, stored_certificate
from evotrainer.errors import ConfigError, EvoTrainerError
from evotrainer.records import BenchRun
from flows.workspace.worktree import Workspace

ARMS = {
    "evotrainer": ["search=evotrainer", "trainer=rules"],
    "random": ["search=evotrainer", "trainer=random"],
    "hillclimb": ["search=hillclimb", "trainer=rules"],
}

LEAK = [
    "domain=swe",
    "domain.access=open_history",
    "algorithm.learning_rate=5e-4",
    "budget.train_tokens=100000",
    "num_versions=4",
]
"""A rate and a budget at which training finds a habit of one episode in thirty, and keeps little else."""
LEAK_ARMS = {"guarded": ["search=evotrainer"], "score-only": ["search=hillclimb", "harness=static"]}


def run_certificates(
    main: Path, seeds: Sequence[int], arms: Sequence[str], settings: Sequence[str]
) -> Iterator[BenchRun]:
    """Run one campaign for each seed and arm, one after the other; yield what its certificate says."""
    unknown = sorted(set(arms) - ARMS.keys())
    if unknown:
        raise ConfigError(f"unknown arm '{unknown[0]}': choose from {', '.join(ARMS)}")
    for seed in seeds:
        for arm in arms:
            workspace = Workspace(main, f"bench-{arm}-{seed}")
            path = workspace.files.certificate / "certificate.json"
            if not path.is_file():
                _run_campaign(main, workspace.name, [*ARMS[arm], f"seed={seed}", *settings])
            certificate = stored_certificate(workspace.files).read()
            yield BenchRun(arm=arm, seed=seed, certificate=certificate, **_counts(workspace))


def _run_campaign(main: Path, name: str, settings: Sequence[str]) -> None:
    command = [sys.executable, "-m", "cli.main", "campaign", "run", name, *settings]
    if subprocess.run(command, cwd=main, check=False).returncode != 0:
        raise EvoTrainerError(f"campaign {name} failed, see above; repeat the bench to go on where it stood")


def _counts(workspace: Workspace) -> dict[str, int]:
    """Return how many versions were trained, and how many promoted."""
    records = [record for record in read_records(workspace.files) if record.spec.kind != "base"]
    return {
        "num_trained": sum(record.policy_hash is not None for record in records),
        "num_promoted": sum(record.verdict.outcome == "promoted" for record in records),
    }


def run_leak(main: Path, seed: int, settings: Sequence[str]) -> Iterator[tuple[str, CampaignFiles]]:
    """Run a guarded and a score-only campaign on histories that hold the fix; yield each with its files."""
    for arm, chosen in LEAK_ARMS.items():
        workspace = Workspace(main, f"bench-leak-{arm}-{seed}")
        if not (workspace.files.certificate / "certificate.json").is_file():
            _run_campaign(main, workspace.name, [*LEAK, *chosen, f"seed={seed}", *settings])
        yield arm, workspace.files
