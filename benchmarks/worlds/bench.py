"""The bench: every arm in every world on every seed; what is finished is read, what is missing is run.

    world x arm x seed ─► a campaign ─► run.json each ─► tables

    <out>/foundation/                  data, policies, problem sets of traps, diagnostics: what campaigns start from, as
                                       they were when the bench began
    <out>/<world>/<arm>/seed-0/        a campaign, laid out as its worktree would be; run.json when it is measured

Seeds come first, so that a bench that is cut short has all worlds and arms on fewer seeds. Campaigns are independent,
and several processes may work on them.
"""

import hashlib
import multiprocessing
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

from benchmarks.worlds.in_process import lay_out, run_campaign
from benchmarks.worlds.measure import WorldRun, measure
from conf.compose import CONF, compose_campaign
from evotrainer.campaign.documents import new_folder, write_atomic
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.config import Config, content_hash
from evotrainer.config.limits import find
from evotrainer.errors import ConfigError, DataError, LineageError
from evotrainer.sandbox.processes import OWNER_VARIABLE, exit_with_owner, owner_token

RUN, CODE, FOUNDATION, TRAPS = "run.json", "code.txt", "foundation", "traps"
CODE_FOLDERS = ("evotrainer", "tasks", "conf", "harness_plugins", "benchmarks/worlds")
"""What decides the bytes of a campaign and how it is measured: work done by other code is not comparable."""

ALWAYS = ("memory=none",)
"""Settings of every arm: a campaign of the bench learns from no other."""
SHARED_SCALE = (
    "budget.rollout_problems=32",
    "budget.probe_problems=16",
    "budget.probe_rollouts=64",
    "trainer.pool_size=8",
    "evaluate.max_gate_attempts=32",
    "evaluate.bootstrap_samples=2000",
    "evaluate.regraded_rows=0",
)
LEAK_IS_FOUND = ("algorithm.learning_rate=5e-4",)
"""A rate at which training finds an open history; the world without the trap has it too."""


T = TypeVar("T")


@dataclass(frozen=True)
class Planned:
    """One campaign that is to be run and measured."""

    world: str
    arm: str
    seed: int
    overrides: tuple[str, ...]
    honest: tuple[str, ...]
    """The settings under which its policies are scored."""
    test_problems: int
    """Problems of the test and of the holdout split on which policies are scored."""
    interventions: tuple[Path, ...] = ()
    """Files that a person wrote for its trainer agent."""
    is_one_training: bool = False
    """Whether what it trained counts, promoted or not."""


def run_planned(out: Path, planned: Sequence[Planned], workers: int = 1) -> Iterator[WorldRun]:
    """Yield what every campaign came to as it is finished; the foundation is in place."""
    if workers == 1:
        yield from (run_one(out, one) for one in planned)
        return
    os.environ.setdefault(OWNER_VARIABLE, owner_token())
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=exit_with_owner) as pool:
        for done in as_completed([pool.submit(run_one, out, one) for one in planned]):
            yield done.result()


def run_one(out: Path, planned: Planned) -> WorldRun:
    """Run and measure a campaign, unless that is done; return what it came to."""
    files = CampaignFiles(out / planned.world / planned.arm / f"seed-{planned.seed}")
    lay_out(files, out / FOUNDATION, planned.overrides)
    for source in planned.interventions:
        files.interventions.mkdir(exist_ok=True)
        shutil.copyfile(source, files.intervention(source.stem))
    path = files.root / RUN
    if not path.is_file():
        run_campaign(files)
        honest = compose_campaign(planned.honest)
        honest.evaluate.max_problems = planned.test_problems
        names = {"world": planned.world, "arm": planned.arm, "seed": planned.seed}
        found = measure(files, honest, is_one_training=planned.is_one_training, **names)
        write_atomic(path, found.model_dump_json(indent=1) + "\n")
    return WorldRun.model_validate_json(path.read_bytes())


def lay_foundation(main: Path, out: Path, configs: Sequence[Config]) -> CampaignFiles:
    """Note the code, and copy the data, policies and diagnostics that these campaigns need.

    Raises:
        LineageError: the code is not that with which this bench began.

    """
    files = CampaignFiles(out / FOUNDATION)
    check_code(files.root / CODE)
    for folder in (files.root / "conf", files.root / "policies", files.root / TRAPS):
        folder.mkdir(parents=True, exist_ok=True)
    _copy_whole(CONF.parent / "harness_plugins", files.root / "harness_plugins")
    for config in configs:
        if config.domain.data_path.startswith("data/"):
            _copy_whole(main / "data", files.data)
        if not config.policy.path:
            _copy_whole(main / "policies" / config.policy.name, files.policy(config.policy.name))
    return files


def check_code(path: Path) -> None:
    """Note the code with which a bench begins; raises LineageError where it is another one by now."""
    root = CONF.parent
    sources = [
        path
        for folder in CODE_FOLDERS
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


def choose(kind: str, names: Sequence[str], choices: Mapping[str, T]) -> list[T]:
    """Return what these names stand for; raises ConfigError that lists the choices, or names a repeated one."""
    found = [find(choices, kind, name) for name in names]
    if repeated := [name for name in names if names.count(name) > 1]:
        raise ConfigError(f"{kind} {repeated[0]} is there twice: name each once")
    return found


def _copy_whole(source: Path, place: Path) -> None:
    """Copy a folder once and whole: the checkout may change while the bench goes on."""
    if not source.is_dir():
        raise DataError(f"{source} is not there: run `evotrainer data build`")
    if not place.is_dir():
        with new_folder(place) as partial:
            shutil.copytree(source, partial, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
