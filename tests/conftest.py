"""Shared fixtures. `written_campaign` is a closed campaign on disk: drawn attempts, real statistics and verdicts."""

import evotrainer  # noqa: F401, I001 - before numpy, whose number of threads it sets
import copy
import gc
import os
import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.locks import wait_for_lock
from evotrainer.campaign.repository import read_records
from evotrainer.records import Problem, VersionRecord
from tests.base_policies import LETTERS, make_digit_policy
from tests.campaign_writer import CampaignWriter, base_and_baseline, fill
from tests.plain_records import plain_problem

settings.register_profile("repeatable", derandomize=True, max_examples=40)
settings.load_profile("repeatable")
"""The same examples on every run; `--hypothesis-profile=default` draws new ones, a hundred of them."""

SHARING = {
    "finished campaign": (
        "test_certificate",
        "test_cli",
        "test_crashes",
        "test_flows_campaign",
        "test_flows_reproduce",
        "test_memory_branch",
        "test_serve",
        "test_shown_commands",
    ),
    "configurations": ("test_compose", "test_docs"),
}
"""Modules that share what one worker makes for all of them: a campaign of a minute, Hydra's work on each option."""


BUSY_MEANWHILE = ("test_failure_modes", "test_harness_healthy")


class ModuleScheduling(LoadScopeScheduling):
    """Sends each module to one worker, so that what its tests share is made once.

    `--dist loadgroup` has no effect here: pytest 9 keeps ids apart from what pytest-xdist 3.8 writes a group's name to.
    """

    def _split_scope(self, nodeid: str) -> str:
        module = nodeid.partition("::")[0]
        return next((group for group, modules in SHARING.items() if Path(module).stem in modules), module)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ModuleScheduling:
    """Return the scheduler of a run with several workers."""
    return ModuleScheduling(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start with whole campaigns: they take longest and wait most, and short tests fill the end.

    One worker makes what all campaigns share; the others have modules before theirs that need nothing of it.
    """
    items.sort(key=_turn)


def _turn(item: pytest.Item) -> int:
    stages = (
        item.path.stem in SHARING["finished campaign"],
        item.path.stem in BUSY_MEANWHILE,
        "integration" in item.path.parts,
    )
    return stages.index(True) if True in stages else len(stages)


def pytest_collection_finish() -> None:
    """Leave imported modules and collected tests out of garbage collection, which otherwise walks them all each time.

    Tests that make many rows cost less so; what they leave is still collected, in larger portions.
    """
    if composing := sys.modules.get("conf.compose"):
        _remember_compositions(composing)
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def _remember_compositions(composing: Any) -> None:
    """Have Hydra compose each choice of groups of this checkout once; it takes a tenth of a second, in many tests."""
    afresh, made = composing._compose, lru_cache(lambda *chosen: afresh(composing.CONF, "config", chosen))

    def compose(folder: Path, name: str, overrides: Sequence[str]) -> Any:
        is_own = (folder, name) == (composing.CONF, "config")
        return copy.deepcopy(made(*overrides)) if is_own else afresh(folder, name, overrides)

    composing._compose = compose


def pytest_sessionfinish() -> None:
    """Give everything back to the collector: extension modules report what is left at exit as leaked."""
    gc.unfreeze()


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all workers of this run share."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def written_campaign(tmp_path_factory: pytest.TempPathFactory) -> CampaignFiles:
    """A campaign of nine closed versions; read only."""
    writer = CampaignWriter(tmp_path_factory.mktemp("campaign") / "demo")
    fill(writer)
    return writer.files


@pytest.fixture
def campaign_writer(tmp_path: Path) -> CampaignWriter:
    """An empty campaign to which a test adds versions."""
    return CampaignWriter(tmp_path / "demo")


@pytest.fixture
def make_records(campaign_writer: CampaignWriter) -> Callable[..., list[VersionRecord]]:
    """Return a function that writes versions, given as (name, lift, options), and reads their records back."""

    def make(*versions: tuple[str, float | None, dict[str, Any]]) -> list[VersionRecord]:
        for name, lift, options in versions:
            campaign_writer.add(name, lift, **options)
        return read_records(campaign_writer.files)

    return make


@pytest.fixture(scope="session")
def lineage(tmp_path_factory: pytest.TempPathFactory) -> list[VersionRecord]:
    """The records of a base policy and of a baseline."""
    writer = CampaignWriter(tmp_path_factory.mktemp("lineage") / "demo")
    base_and_baseline(writer, 0.05)
    return read_records(writer.files)


@pytest.fixture(scope="session")
def digit_problems() -> list[Problem]:
    """Problems whose answer is the digit at their end: bafhc7 -> 7."""
    rng = np.random.default_rng(5)
    words = ["".join(rng.choice(list(LETTERS), 4)) for _ in range(120)]
    return [
        plain_problem(f"p{index:03d}", f"{word}{index % 10}", str(index % 10), family=f"family{index % 3}")
        for index, word in enumerate(words)
    ]


@pytest.fixture(scope="session")
def digit_policy(shared_folder: Path) -> Path:
    """A tiny policy that answers in the right form, right about half of the time; one for all workers."""
    folder = shared_folder / "digit_policy"
    with wait_for_lock(shared_folder / "digit_policy.lock"):
        if not (folder / "done").is_file():
            folder.mkdir(exist_ok=True)
            make_digit_policy(folder, num_heads=2)
            (folder / "done").touch()
    return folder / "digits"


@pytest.fixture(scope="session")
def sharper_policy(digit_policy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The digit policy with its head made steeper: it samples its best guess more often, and so scores higher."""
    from tests.evaluated_campaign import scaled_policy

    return scaled_policy(digit_policy, 3.0, tmp_path_factory.mktemp("sharper") / "policy")
