"""The bench: every arm in every domain on every seed; what is finished is read, what is missing is run.

    <out>/foundation/                  data, policies, diagnostics, the human schedule: what all campaigns stand on
    <out>/shared/                      trainings and completions that arms have in common
    <out>/<domain>/<arm>/seed-0/       a campaign, laid out as its worktree would be; run.json when it is measured

A reference is a campaign of one version, so that it trains and is evaluated by the stages that searches use. Seeds
come first: a bench that is cut short has all arms on fewer seeds.
"""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.coevolution.bench import FOUNDATION, copy_whole, lay_ground, run_once
from benchmarks.coevolution.driver import lay_out
from benchmarks.coevolution.measure import measure
from benchmarks.coevolution.records import CoevolutionRun
from benchmarks.references.arms import ORDER, SCHEDULE, Size, settings
from conf.compose import compose_campaign
from evotrainer.campaign.layout import CampaignFiles


@dataclass(frozen=True)
class ReferencePlan:
    """What is to be measured, and where it lies."""

    out: Path
    domains: tuple[str, ...]
    arms: tuple[str, ...]
    seeds: tuple[int, ...]
    size: Size
    test_problems: int
    """Of the test split, on which policies are scored at the end."""


def run_references(main: Path, plan: ReferencePlan) -> Iterator[CoevolutionRun]:
    """Yield every campaign's run as it is finished: seed by seed, domains and arms within."""
    foundation = lay_foundation(main, plan)
    for seed in plan.seeds:
        for domain in plan.domains:
            yield from (run_arm(plan, foundation, domain, arm, seed) for arm in plan.arms)


def run_arm(plan: ReferencePlan, foundation: Path, domain: str, arm: str, seed: int) -> CoevolutionRun:
    """Run one arm of one domain on one seed, as far as it is not finished."""
    files = CampaignFiles(plan.out / domain / arm / f"seed-{seed}")
    overrides = settings(arm, domain, seed, plan.size)
    lay_out(files, foundation, overrides)
    if arm == "schedule":
        files.interventions.mkdir(exist_ok=True)
        for name in ORDER[domain]:
            shutil.copyfile(foundation / "schedule" / f"{name}.yaml", files.intervention(name))
    honest = compose_campaign(overrides)
    honest.evaluate.max_problems = plan.test_problems
    measured = partial(measure, files, honest, world=domain, arm=arm, seed=seed)
    return run_once(files, plan.out / "shared", CoevolutionRun, measured)


def lay_foundation(main: Path, plan: ReferencePlan) -> Path:
    """Put in place what all campaigns stand on; raises LineageError where the code is not that of the beginning."""
    files = CampaignFiles(plan.out / FOUNDATION)
    configs = [compose_campaign([f"domain={domain}"]) for domain in plan.domains]
    lay_ground(main, files, configs, ("benchmarks/references",))
    copy_whole(SCHEDULE, files.root / "schedule")
    return files.root
