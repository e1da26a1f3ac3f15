"""The bench: every arm in every world on every seed; what is finished is read, what is missing is run.

    world x seed ─► its arms, one after the other ─► run.json each ─► table, figure

    <out>/foundation/                  data, policies, problem sets of traps, diagnostics: what all campaigns stand on,
                                       as they were when it began
    <out>/shared/                      trainings and completions that arms have in common
    <out>/<world>/<arm>/seed-0/        a campaign, laid out as its worktree would be; run.json when it is measured

The arms of one world and seed run in one process, so that each finds what the others did; worlds and seeds are
independent, and several processes may work on them.
"""

import hashlib
import multiprocessing
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

from benchmarks.coevolution.driver import lay_out, run_campaign
from benchmarks.coevolution.measure import measure
from benchmarks.coevolution.own_settings import check_own_settings
from benchmarks.coevolution.records import CoevolutionRun
from benchmarks.coevolution.worlds import HONEST_PROBLEMS, TRAP_DATA, World, choose_arms, choose_worlds
from benchmarks.work_cache.engines import sharing
from benchmarks.work_cache.store import WorkStore
from conf.compose import CONF, compose_campaign
from evotrainer.campaign.atomic import write_atomic
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.config import Config, content_hash
from evotrainer.errors import LineageError
from evotrainer.records.base import Record
from tasks.data.stage import run as build_data
from tasks.running.parent_watch import OWNER_VARIABLE, exit_with_owner, owner_token
from tasks.warm_start.stage import run as warm_start

RUN, CODE, FOUNDATION = "run.json", "code.txt", "foundation"
R = TypeVar("R", bound=Record)

CODE_FOLDERS = ("evotrainer", "tasks", "conf", "harness_plugins", "benchmarks/coevolution", "benchmarks/work_cache")
"""What decides the bytes of a campaign and how it is measured: work done by other code is not comparable."""


@dataclass(frozen=True)
class Plan:
    """What is to be measured, and where it lies."""

    out: Path
    worlds: tuple[str, ...]
    arms: tuple[str, ...]
    seeds: tuple[int, ...]
    scale: str = "full"
    overrides: tuple[str, ...] = ()
    """A person's own settings of all campaigns."""


def run_bench(main: Path, plan: Plan, workers: int = 1) -> Iterator[CoevolutionRun]:
    """Yield every campaign's run as it is finished; seeds come in their order, worlds and arms within them."""
    worlds = choose_worlds(plan.worlds)
    choose_arms(plan.arms)
    for world in worlds:  # a bad setting is found before anything runs
        check_own_settings(world, plan.arms, plan.scale, plan.overrides)
    lay_foundation(main, plan, worlds)
    units = [(world.name, seed) for seed in plan.seeds for world in worlds]
    if workers == 1:
        for name, seed in units:
            yield from run_unit(plan, name, seed)
        return
    os.environ.setdefault(OWNER_VARIABLE, owner_token())
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=exit_with_owner) as pool:
        for done in as_completed([pool.submit(_run_all, plan, name, seed) for name, seed in units]):
            yield from done.result()


def _run_all(plan: Plan, name: str, seed: int) -> list[CoevolutionRun]:
    return list(run_unit(plan, name, seed))


def run_unit(plan: Plan, name: str, seed: int) -> Iterator[CoevolutionRun]:
    """Run all arms of one world on one seed, as far as they are not finished."""
    world = choose_worlds([name])[0]
    for arm in plan.arms:
        files = CampaignFiles(plan.out / world.name / arm / f"seed-{seed}")
        lay_out(files, plan.out / FOUNDATION, world.overrides(arm, seed, plan.scale, plan.overrides))
        honest = compose_campaign(world.honest(arm, seed, plan.scale, plan.overrides))
        honest.evaluate.max_problems = HONEST_PROBLEMS[plan.scale]
        measured = partial(measure, files, honest, world=world.name, arm=arm, seed=seed)
        yield run_once(files, plan.out / "shared", CoevolutionRun, measured)


def run_once(files: CampaignFiles, shared: Path, kind: type[R], measured: Callable[[WorkStore], R]) -> R:
    """Run and measure a campaign whose folder is laid out, unless that is done; return what it came to."""
    path = files.root / RUN
    if not path.is_file():
        with sharing(WorkStore(shared, files.root / "shared.jsonl")) as store:
            run_campaign(files, store)
        with sharing(WorkStore(shared, files.root / "measured.jsonl")):
            run = measured(store)
        write_atomic(path, run.model_dump_json(indent=1) + "\n")
    return kind.model_validate_json(path.read_bytes())


def lay_foundation(main: Path, plan: Plan, worlds: Sequence[World]) -> None:
    """Put in place what all campaigns stand on; what the checkout has is taken from there, the rest is built.

    Raises:
        LineageError: the code is not that with which this bench began.

    """
    files = CampaignFiles(plan.out / FOUNDATION)
    configs = [compose_campaign(world.honest(plan.arms[0], 0, plan.scale, plan.overrides)) for world in worlds]
    lay_ground(main, files, configs)
    for world, config in zip(worlds, configs, strict=True):
        trap = files.root / TRAP_DATA / world.trap
        if world.prepare is not None and not trap.is_dir():
            partial = trap.with_name(f"{world.trap}.partial")
            shutil.rmtree(partial, ignore_errors=True)
            world.prepare(files.root / config.domain.data_path, partial)
            partial.rename(trap)


def lay_ground(main: Path, files: CampaignFiles, configs: Sequence[Config], more: Sequence[str] = ()) -> None:
    """Note the code, and copy or build the data, policies and diagnostics that these campaigns need.

    Raises:
        LineageError: the code, that of the folders `more` with it, is not that with which this bench began.

    """
    check_code(files.root / CODE, more)
    for folder in (files.root / "conf", files.root / "policies", files.root / TRAP_DATA):
        folder.mkdir(parents=True, exist_ok=True)
    copy_whole(CONF / "embedded", files.root / "conf" / "embedded")
    copy_whole(CONF.parent / "harness_plugins", files.root / "harness_plugins")
    for config in configs:
        if config.domain.data_path.startswith("data/"):
            place_data(files, main)
        if not config.policy.path:
            place_policy(files, main, config.policy.name)


def place_data(files: CampaignFiles, main: Path) -> None:
    """Take the built-in problem sets from the checkout, or build them."""
    if (main / "data").is_dir():
        copy_whole(main / "data", files.data)
    elif not files.data.is_dir():
        build_data(files, "data")


def place_policy(files: CampaignFiles, main: Path, name: str) -> None:
    """Take an embedded policy from the checkout, or build it."""
    if (main / "policies" / name).is_dir():
        copy_whole(main / "policies" / name, files.policy(name))
    elif not files.policy(name).is_dir():
        warm_start(files, name)


def check_code(path: Path, more: Sequence[str] = ()) -> None:
    """Note the code with which a bench begins; raises LineageError where it is another one by now."""
    root = CONF.parent
    sources = [
        path
        for folder in (*CODE_FOLDERS, *more)
        for path in sorted((root / folder).rglob("*"))
        if path.suffix in (".py", ".yaml") and path.is_file()
    ]
    now = content_hash(
        {path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in sources}
        | {"torch": version("torch")}
    )
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{now}\n")
    elif path.read_text().strip() != now:
        raise LineageError(f"{path.parent.parent} was begun with other code: choose another --out")


def copy_whole(source: Path, place: Path) -> None:
    """Copy a folder once and whole: the checkout may change while the bench goes on."""
    if place.is_dir():
        return
    partial = place.with_name(f"{place.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    shutil.copytree(source, partial, ignore=shutil.ignore_patterns("__pycache__"))
    partial.rename(place)
