"""What can be known of a campaign before it starts: `evotrainer campaign check`, and the first thing a start does.

    settings.py  engines, agent, search, diagnostics, interventions    policy.py    folder, size, chat template, tools
    machine.py   device, memory, disk                                  embedded.py  characters that it can read
    answers.py   a few answers of the base policy, graded              problems.py  rows, and what they can show
    budget.py    room for a version within budget.total
    folder.py    files of a policy, and their sizes        architecture.py  whether its weights fit its config.json

All that is wrong is found at once; nothing is written, and no warm start is needed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from conf.compose import compose_campaign
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.config import Config
from evotrainer.domains.problem_sets.loading import BadRowsError
from evotrainer.errors import EvoTrainerError
from flows.workspace.check import Check
from flows.workspace.checks.answers import look_at_answers
from flows.workspace.checks.architecture import look_at_architecture
from flows.workspace.checks.base import Look, Start
from flows.workspace.checks.budget import look_at_budget
from flows.workspace.checks.embedded import look_at_embedded
from flows.workspace.checks.machine import look_at_disk, look_at_memory
from flows.workspace.checks.policy import look_at_policy
from flows.workspace.checks.problems import look_at_problems
from flows.workspace.checks.settings import (
    look_at_interventions,
    look_at_plugins,
    look_at_records,
    look_at_search,
    look_at_settings,
)
from flows.workspace.policy_defaults import size_preset

__all__ = ["Check", "Examination", "examine"]

OF_SETTINGS: Sequence[Look] = (
    look_at_settings,
    look_at_search,
    look_at_records,
    look_at_plugins,
    look_at_interventions,
    look_at_problems,
    look_at_budget,
    look_at_policy,
    look_at_architecture,
    look_at_embedded,
)
"""At settings and the files that they name."""
OF_THE_MOMENT: Sequence[Look] = (look_at_memory, look_at_disk)
"""At what is free on this machine now."""


@dataclass(frozen=True)
class Examination:
    """What was found, and the configuration that a campaign would have."""

    config: Config
    checks: list[Check]
    errors: list[EvoTrainerError]

    def raise_first(self) -> None:
        """Raise the first error, if there is one."""
        for error in self.errors:
            raise error


def examine(main: Path, overrides: Sequence[str], embedded: CampaignFiles | None) -> Examination:
    """Return what is wrong with these settings and what they amount to; raises ConfigError for what is no setting.

    Answers of a person's own policy are tried, and those of an embedded one where `embedded` says in whose files it may
    lie; neither where something else is wrong.
    """
    start = _start(main, overrides, embedded)
    found = _looked_at(start, [*OF_SETTINGS, *OF_THE_MOMENT])
    if not found.errors and (start.own_policy or embedded):
        _take(look_at_answers, start, found.checks, found.errors)
    return found


def examine_ahead(main: Path, overrides: Sequence[str]) -> Examination:
    """Return what is wrong with the settings of a campaign that starts later, and with the files that they name.

    What is free on the machine then is not known, and no policy answers. Raises as `examine` does.
    """
    return _looked_at(_start(main, overrides, None), OF_SETTINGS)


def _start(main: Path, overrides: Sequence[str], embedded: CampaignFiles | None) -> Start:
    config = compose_campaign(overrides)
    preset = size_preset(main, config, overrides)
    if preset:
        config = compose_campaign([*preset, *overrides])
    trained = embedded.policy(config.policy.name) if embedded else None
    return Start(main, tuple(overrides), config, tuple(preset), trained if trained and trained.is_dir() else None)


def _looked_at(start: Start, looks: Sequence[Look]) -> Examination:
    found = Examination(start.config, [], [])
    for look in looks:
        _take(look, start, found.checks, found.errors)
    return found


def _take(look: Look, start: Start, checks: list[Check], errors: list[EvoTrainerError]) -> None:
    try:
        checks.extend(look(start))
    except BadRowsError as error:
        errors.append(error)
        checks.extend(Check("row", "error", reason) for reason in error.reasons)
        checks.append(Check("problems", "error", f"{len(error.reasons)} of {error.num_rows} rows cannot be used"))
    except EvoTrainerError as error:
        errors.append(error)
        checks.append(Check(look.__name__.removeprefix("look_at_"), "error", " ".join(str(error).split())))
