"""What a kind of proposal starts from, and what it answers."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from evotrainer.agents import AgentRecord
from evotrainer.backtests import backtest_pool
from evotrainer.backtests.inputs import load_inputs
from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles, VersionFiles
from evotrainer.campaign.recipes import recipe_from
from evotrainer.campaign.repository import load_records
from evotrainer.config import Config
from evotrainer.records import Backtest, Intervention, VersionRecord, VersionSpec
from evotrainer.training import create_train_engine
from tasks.propose.pool import Pool


@dataclass(frozen=True)
class Request:
    """A version whose recipe is to be found."""

    files: CampaignFiles
    spec: VersionSpec
    campaign: Config
    record: AgentRecord

    @property
    def own(self) -> VersionFiles:
        """The version's files."""
        return self.files.version(self.spec.version)

    @cached_property
    def records(self) -> list[VersionRecord]:
        """The closed versions of its frozen lineage."""
        return load_records(self.own.lineage)

    def recipe(self, version: str) -> Config:
        """Return a closed version's recipe; the base policy stands for the campaign's."""
        return recipe_from(self.records, self.campaign, version)

    def backtests(self, parent: Config, pool: Sequence[Intervention]) -> list[Backtest]:
        """Return the backtests of a pool on the version's cached evidence."""
        evidence = load_inputs(self.files, self.spec, self.campaign, pool)
        return backtest_pool(pool, parent, evidence, create_train_engine(self.campaign).replay_step)


@dataclass(frozen=True)
class Choice:
    """What a version takes: one candidate of a pool as a change of `base`, or `base` unchanged."""

    base: str
    """The version whose recipe is changed."""
    pool: Pool = field(default_factory=lambda: Pool([]))
    backtests: Sequence[Backtest] = ()
    chosen: Intervention | None = None
    reason: str = ""
    """Why nothing was chosen where something was asked for."""

    @property
    def base_file(self) -> str | None:
        """The intervention file that the change stands on; None for the campaign alone."""
        return None if self.base == BASE_VERSION else self.base


class NothingToTryError(Exception):
    """No lawful proposal is left for this version; the text says why."""

    def __init__(self, reason: str, pool: Pool | None = None):
        super().__init__(reason)
        self.pool = pool or Pool([])
