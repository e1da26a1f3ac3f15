"""The bench: every arm in every world on every seed; what is finished is read, what is missing is run.

    <out>/foundation/                  data, policies, problem sets with traps, diagnostics with and without a pathology
    <out>/shared/                      trainings and completions that arms have in common
    <out>/<world>/<arm>/seed-0/        a campaign, laid out as its worktree would be; run.json when it is measured

A campaign runs, is shared and measured as in the co-evolution bench. Seeds come first, so that a bench that is cut
short has all worlds and arms on fewer seeds.
"""

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.coevolution.bench import FOUNDATION, lay_ground, run_once
from benchmarks.coevolution.driver import lay_out
from benchmarks.coevolution.measure import measure
from benchmarks.coevolution.records import CoevolutionRun
from benchmarks.coevolution.worlds import HONEST_PROBLEMS
from benchmarks.lopo.worlds import WORLDS, LopoWorld, prepare
from conf.compose import compose_campaign
from evotrainer.campaign.layout import CampaignFiles


@dataclass(frozen=True)
class LopoPlan:
    """What is to be measured, and where it lies."""

    out: Path
    worlds: tuple[str, ...]
    arms: tuple[str, ...]
    seeds: tuple[int, ...]
    scale: str = "quick"


def run_lopo(main: Path, plan: LopoPlan) -> Iterator[CoevolutionRun]:
    """Yield every campaign's run as it is finished: seed by seed, worlds and arms within."""
    worlds = [WORLDS[name] for name in plan.worlds]
    foundation = lay_foundation(main, plan, worlds)
    for seed in plan.seeds:
        for world in worlds:
            config = compose_campaign(world.honest(plan.arms[0], seed, plan.scale))
            prepare(world, foundation.root, foundation.policy(config.policy.name), seed)
            yield from (run_arm(plan, foundation.root, world, arm, seed) for arm in plan.arms)


def run_arm(plan: LopoPlan, foundation: Path, world: LopoWorld, arm: str, seed: int) -> CoevolutionRun:
    """Run one arm of one world on one seed, as far as it is not finished."""
    files = CampaignFiles(plan.out / world.name / arm / f"seed-{seed}")
    lay_out(files, foundation, world.overrides(arm, seed, plan.scale))
    honest = compose_campaign(world.honest(arm, seed, plan.scale))
    honest.evaluate.max_problems = HONEST_PROBLEMS["quick"]
    measured = partial(measure, files, honest, world=world.name, arm=arm, seed=seed)
    return run_once(files, plan.out / "shared", CoevolutionRun, measured)


def lay_foundation(main: Path, plan: LopoPlan, worlds: Sequence[LopoWorld]) -> CampaignFiles:
    """Put in place what all campaigns stand on; raises LineageError where the code is not that of the beginning."""
    files = CampaignFiles(plan.out / FOUNDATION)
    lay_ground(
        main, files, [compose_campaign(world.honest("S", 0, plan.scale)) for world in worlds], ("benchmarks/lopo",)
    )
    for world in worlds:
        leave_out(files.root / "harness_plugins", world)
    return files


def leave_out(plugins: Path, world: LopoWorld) -> None:
    """Write the folders of diagnostics that know nothing of a world's pathology."""
    for folder, modules in (world.known_by or {}).items():
        target = plugins / world.without(folder)
        if target.is_dir():
            continue
        ignored = shutil.ignore_patterns("__pycache__", *(f"{name}.py" for name in modules))
        shutil.copytree(plugins / folder, target, ignore=ignored)
