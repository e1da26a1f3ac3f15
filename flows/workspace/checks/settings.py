"""Whether engines and agents take the settings, and whether a campaign would have the files that they name."""

from evotrainer.agents import ProposalContext, check_agent
from evotrainer.agents.written import build_written
from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles
from evotrainer.config.written import read_written
from evotrainer.diagnosis.harness import Harness
from evotrainer.domains import factors_in
from evotrainer.engines import check_rollout_engine
from evotrainer.errors import ConfigError, HarnessError
from evotrainer.records import HarnessReport
from evotrainer.search import make_search
from evotrainer.search.specialists import check_off_limits
from evotrainer.training import check_trainable
from flows.workspace.check import Check
from flows.workspace.checks.base import Start
from flows.workspace.git import untracked
from flows.workspace.own_files import outside_records

_PLUGINS = "harness_plugins"
_INTERVENTIONS = "conf/intervention"


def look_at_settings(start: Start) -> list[Check]:
    """Name what the campaign will do; raises for what its engines or its trainer agent cannot."""
    config = start.config
    check_trainable(config)
    check_rollout_engine(config)
    check_agent(config)
    return [
        Check(
            "settings",
            "ok",
            f"{config.num_versions} versions, domain {config.domain.name}, search {config.search.name}, trainer "
            f"{config.trainer.name}, sampling by {config.engine.rollout}, training by {config.engine.train}",
        )
    ]


def look_at_search(start: Start) -> list[Check]:
    """Raise ConfigError for a search that could not plan its first versions, or names factors that it does not have."""
    config = start.config
    make_search(config).next_generation([], config)
    check_off_limits(config, factors_in(config))
    return []


def look_at_records(start: Start) -> list[Check]:
    """Raise ConfigError for an audit or answers of another campaign that are not there."""
    outside_records(start.main, start.config)
    return []


def look_at_plugins(start: Start) -> list[Check]:
    """Raise HarnessError for diagnostics that do not load, and for those that git does not track."""
    Harness(start.main / _PLUGINS, start.config.harness)
    lost = untracked(start.main, [f"{_PLUGINS}/{folder}" for folder in start.config.harness.folders])
    if lost:
        raise HarnessError(
            f"git does not know {', '.join(lost[:3])}{' ...' if len(lost) > 3 else ''}, so that the campaign would run "
            f"without it: `git add {lost[0]}`, or move it out of {_PLUGINS}/"
        )
    return []


def look_at_interventions(start: Start) -> list[Check]:
    """Raise ConfigError for written interventions that break a law on the campaign's recipe or are unknown to git."""
    report = HarnessReport(version=BASE_VERSION, harness_version="")
    context = ProposalContext(start.config, BASE_VERSION, 0, report, [])
    folder = CampaignFiles(start.main).interventions
    for name in start.config.trainer.interventions:
        written = read_written(folder / f"{name}.yaml")
        build_written(written, context)
        lost = untracked(start.main, [f"{_INTERVENTIONS}/{file}" for file in (f"{name}.yaml", *written.beside)])
        if lost:
            raise ConfigError(f"git does not know {lost[0]}, so that the campaign would lack it: `git add {lost[0]}`")
    return []
