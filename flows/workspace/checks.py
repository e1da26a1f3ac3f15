"""What can be known of a campaign before it starts: `evotrainer campaign check`, and the first thing a start does.

    settings ─► problems ─► policy: files, memory, disk ─► preflight.py: the policy answers, in a process

All that is wrong is found at once; nothing is written.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal, TypeVar

from conf.compose import compose_campaign
from evotrainer.agents import ProposalContext, check_agent
from evotrainer.agents.manual import build_written
from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles
from evotrainer.config import Config
from evotrainer.config.campaign import end_of_run
from evotrainer.config.interventions import read_written
from evotrainer.diagnosis.harness import Harness
from evotrainer.diagnosis.thresholds import LIMITS
from evotrainer.domains import find_domain
from evotrainer.domains.problem_sets.check import check_splits, contradictions, repeats, require_splits
from evotrainer.domains.problem_sets.loading import BadRowsError, Row, split_rows
from evotrainer.domains.problem_sets.overlap import check_rows
from evotrainer.engines import check_rollout_engine
from evotrainer.errors import ConfigError, DataError, EvoTrainerError
from evotrainer.promotion.checkpoint import detectable_gain
from evotrainer.promotion.statistics import can_drift
from evotrainer.records import HarnessReport
from evotrainer.search import make_search
from evotrainer.search.specialists import taking_part
from evotrainer.training import check_trainable
from evotrainer.training.tracking import check_trackers
from flows.workspace.own_files import absent, outside_records, reading_for, source_of
from tasks.running.notify import check_target

SMALL_GAIN = 0.05
"""Gains of a campaign are of this size (docs/results.md): problems that cannot show it are too few."""

SIGNAL = "signal"
"""Name of the warning that training would have nothing to learn from: a start asks whether to go on."""


@dataclass(frozen=True)
class Check:
    """What was looked at, whether it is well, and what to do where it is not."""

    name: str
    state: Literal["ok", "warning", "error"]
    message: str


@dataclass(frozen=True)
class Start:
    """A campaign that is about to start."""

    main: Path
    overrides: tuple[str, ...]
    config: Config
    preset: tuple[str, ...]
    """The overrides that the size of a person's own policy added."""
    trained: Path | None
    """Where the embedded base policy lies, if it was unpacked already."""

    @property
    def own_policy(self) -> Path | None:
        """The person's own policy; None where an embedded one is the base."""
        return source_of(self.main, self.config.policy.path) if self.config.policy.path else None

    @property
    def own_problems(self) -> Path | None:
        """The person's own problems; None where the built-in sets are meant."""
        given = self.config.domain.data_path
        source = source_of(self.main, given) if given else None
        return None if source is None or source.is_relative_to((self.main / "data").resolve()) else source

    @property
    def problems(self) -> Path:
        """Where the problems lie."""
        return self.own_problems or self.main / self.config.domain.data_path

    def own_rows(self) -> dict[str, list[Row]]:
        """Return the rows of a person's own problems by split; none where they are absent or cannot be read.

        The look at the problems says what is wrong with them.
        """
        try:
            reading = reading_for(self.main, self.config)
            return split_rows(self.own_problems, self.config.domain.name, reading) if self.own_problems else {}
        except (DataError, KeyError):
            return {}


T = TypeVar("T")
Look = Callable[[T], list[Check]]
"""Raises an EvoTrainerError for what cannot be, like a campaign that cannot start so."""


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

    Answers of a person's own policy are tried. With `embedded`, in whose files an embedded policy may lie, so
    are that one's, and the time of the campaign is estimated. Neither is done where something else is wrong.
    """
    from flows.workspace.policy_checks import OF_MACHINE
    from flows.workspace.preflight import try_policy

    start = start_of(main, overrides, embedded)
    checks, errors = looked_at(start, [*OF_SETTINGS, *OF_MACHINE])
    if not errors and (start.own_policy or embedded):
        tried, errors = looked_at(start, [lambda start: try_policy(start, is_timed=embedded is not None)])
        checks += tried
    return Examination(start.config, checks, errors)


def examine_ahead(main: Path, overrides: Sequence[str]) -> Examination:
    """Return what is wrong with the settings of a campaign that starts later, and with the files that they name.

    What is free on the machine then is not known, and no policy answers. Raises as `examine` does.
    """
    from flows.workspace.policy_checks import look_at_policy, look_at_warm_up

    start = start_of(main, overrides, None)
    return Examination(start.config, *looked_at(start, [*OF_SETTINGS, look_at_policy, look_at_warm_up]))


def start_of(main: Path, overrides: Sequence[str], embedded: CampaignFiles | None) -> Start:
    """Return the start of a campaign with these settings; raises ConfigError for what is no setting."""
    from flows.workspace.policy_checks import size_preset

    config = compose_campaign(overrides)
    preset = size_preset(main, config, overrides)
    if preset:
        config = compose_campaign([*preset, *overrides])
    trained = embedded.policy(config.policy.name) if embedded else None
    return Start(main, tuple(overrides), config, tuple(preset), trained if trained and trained.is_dir() else None)


def looked_at(subject: T, looks: Sequence[Look[T]]) -> tuple[list[Check], list[EvoTrainerError]]:
    """Return what all looks at `subject` found, with the errors that they raised; none hides the others."""
    checks: list[Check] = []
    errors: list[EvoTrainerError] = []
    for look in looks:
        try:
            checks += look(subject)
        except BadRowsError as error:
            errors.append(error)
            checks += [Check("row", "error", reason) for reason in error.reasons]
            checks.append(Check("problems", "error", f"{error.num_bad} of {error.num_rows} rows cannot be used"))
        except EvoTrainerError as error:
            errors.append(error)
            name = look.__name__.removeprefix("look_at_").replace("<lambda>", "answers")
            checks.append(Check(name, "error", " ".join(str(error).split())))
    return checks, errors


def look_at_settings(start: Start) -> list[Check]:
    """Name what the campaign will do; raises for what its engines, its trainer agent or its search cannot."""
    config = start.config
    check_trainable(config)
    check_rollout_engine(config)
    check_agent(config)
    make_search(config).next_generation([], config)
    taking_part(config)
    if config.evaluate.measure == "greedy" and config.evaluate.gate == "sequential" and can_drift(config):
        raise ConfigError(
            "evaluate.measure=greedy needs engine.rollout=torch and math, code or swe: elsewhere a server or judge may "
            "favour one arm, and one round of greedy answers cannot show it"
        )
    if (until := config.budget.total.until) and end_of_run(until, datetime.now()) <= datetime.now():
        raise ConfigError(f"budget.total.until={until} is past: name a time to come, or 07:00 for the next one")
    if config.domain.columns and start.own_problems is None:
        raise ConfigError("domain.columns names columns of problems of your own: name their file in domain.data_path")
    check_trackers(config.tracking.trackers)
    check_target(config.tracking.notify)
    outside_records(start.main, config)
    text = (
        f"{config.num_versions} versions, domain {config.domain.name}, search {config.search.name}, trainer "
        f"{config.trainer.name}, sampling by {config.engine.rollout}, training by {config.engine.train}"
    )
    return [Check("settings", "ok", text)]


def look_at_plugins(start: Start) -> list[Check]:
    """Raise ConfigError for diagnostics that do not load."""
    Harness(start.main / "harness_plugins", start.config.harness)
    return []


def look_at_interventions(start: Start) -> list[Check]:
    """Raise ConfigError for written interventions that break a law on the campaign's recipe."""
    report = HarnessReport(version=BASE_VERSION, harness_version="")
    context = ProposalContext(start.config, BASE_VERSION, 0, report, [])
    folder = CampaignFiles(start.main).interventions
    for name in start.config.trainer.interventions:
        build_written(read_written(folder / f"{name}.yaml"), context)
    return []


def look_at_problems(start: Start) -> list[Check]:
    """Count the problems of each split, and say what they can show; raises DataError for rows that cannot be used."""
    own, config = start.own_problems, start.config
    if own is None:
        return power(min(num_judged(start), config.evaluate.max_problems))
    if not own.exists():
        raise absent(start.main, "domain.data_path", config.domain.data_path)
    rows = split_rows(own, config.domain.name, reading_for(start.main, config))
    counts = check_splits(own, rows)
    require_splits(own, counts)
    if not config.policy.path and not any(True for _ in find_domain(config.domain.name).problem_rows()):
        raise ConfigError(
            "no embedded policy knows this domain: set policy.path to a model that can solve its problems"
        )
    held = ", ".join(f"{count} {split}" for split, count in counts.items())
    judged = min(counts["validation"], config.evaluate.max_problems)
    found = [Check("problems", "ok", f"{own}: {held}"), *power(judged)]
    members = [row for split in rows.values() for row in split]
    found += [Check("row", "warning", line) for line in contradictions(members, config.domain.name)]
    inside = [each for each in check_rows(rows, None, LIMITS.text_overlap).overlaps if not each.is_same]
    if inside:
        text = (
            f"the text of {len(inside)} problems that are judged on stands in others, like {inside[0].problem_id} in "
        )
        found.append(Check("problems", "warning", f"{text}{inside[0].other} ({inside[0].source})"))
    if line := repeats(rows):
        found.append(Check("problems", "warning", line))
    return found


def power(judged: int) -> list[Check]:
    """Return which gain so many validation problems can show; nothing for fewer than two."""
    if judged < 2:
        return []
    gain = detectable_gain(judged)
    text = f"{judged} validation rows: gains under {100 * gain:.0f} pp cannot be shown in four campaigns of five"
    if gain <= SMALL_GAIN:
        return [Check("power", "ok", text)]
    return [Check("power", "warning", f"{text}; add problems: half of that takes four times as many")]


def num_judged(start: Start) -> int:
    """Return the validation problems; 0 where they are not built yet, or cannot be read."""
    if start.own_problems is not None:
        return len(start.own_rows().get("validation", []))
    path = start.problems / "validation.jsonl"
    return path.read_bytes().count(b"\n") if path.is_file() else 0


OF_SETTINGS: Sequence[Look[Start]] = (look_at_settings, look_at_plugins, look_at_interventions, look_at_problems)
"""At settings and the problems that they name."""
