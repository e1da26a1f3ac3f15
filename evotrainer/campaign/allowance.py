"""What is left of a campaign's budget, how many further versions fit into it, and how a campaign ended at it.

    left = limits - spent - held for the certificate - held for other open versions

A version is expected to take as much of each resource as the dearest trained version did; before one was trained
nothing is estimated. The certificate scores three policies on the sealed split; the evaluation of the base version
scored one policy twice.

The clock of a run stands in scratch/budget/clock.json, which its flow writes: seconds of earlier runs, and the time at
which this one must have ended. It counts for as long as that flow lives.
"""

import math
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from pydantic import Field

from evotrainer.campaign.documents import Document, in_declared_order, read_numbers
from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles
from evotrainer.campaign.ledger import NAMES, SECONDS_AN_HOUR, WHOLE, Amounts, Expense, amount_text, read_ledger, spent
from evotrainer.config import Config
from evotrainer.records.base import Record


@dataclass(frozen=True)
class Allowance:
    """The state of a campaign's budget."""

    limits: Amounts
    """`hours` is what this run may still take by the clock; what earlier runs took is off it already."""
    spent: Amounts
    """`hours` is 0: see `limits`."""
    version: Amounts | None
    """Estimate of the next version; None where none was measured yet."""
    certificate: Amounts
    """Estimate of the certificate, held for it; nothing once it is made."""
    expenses: list[Expense]

    @property
    def left(self) -> Amounts:
        """What versions may still take."""
        return self.limits.minus(self.spent).minus(self.certificate)

    @property
    def exhausted(self) -> list[str]:
        """Names of the resources of which the next version would take too much."""
        left, needed = self.left, self.version or Amounts()
        return [name for name in NAMES if getattr(left, name) <= 0 or getattr(needed, name) > getattr(left, name)]

    def versions(self, side_by_side: int) -> float:
        """Return how many versions fit, infinity where nothing limits them; those of a generation share the clock."""
        if self.version is None:
            return 0 if self.exhausted else math.inf
        counts = [_fit(getattr(self.left, name), getattr(self.version, name)) for name in NAMES if name != "hours"]
        rounds = _fit(self.left.hours, self.version.hours)
        return min(*counts, rounds * side_by_side)


def read_allowance(files: CampaignFiles, config: Config) -> Allowance:
    """Return the state of a campaign's budget now."""
    total = config.budget.total
    expenses = read_ledger(files, total.accelerator_price)
    return Allowance(
        limits=Amounts(**{name: getattr(total, name) or math.inf for name in NAMES} | {"hours": hours_left(files)}),
        spent=replace(spent(expenses), hours=0.0),
        version=_version_estimate(files, expenses),
        certificate=_certificate_estimate(files, config, expenses),
        expenses=expenses,
    )


def reserved_for_others(files: CampaignFiles, subject: str, allowance: Allowance) -> Amounts:
    """Return what is held for the other open versions: the estimate of each, less what it has spent."""
    held = Amounts()
    for version in files.version_names() if allowance.version else ():
        if version != subject and not files.version(version).verdict.exists():
            own = spent([one for one in allowance.expenses if one.subject == version])
            held += (allowance.version or own).minus(own)
    return held


def within_budget(files: CampaignFiles, config: Config, num_trained: int) -> Config:
    """Return the configuration with as many versions as the budget has room for; itself where there is no limit."""
    if not config.budget.total.is_limited:
        return config
    fitting = read_allowance(files, config).versions(config.search.candidates_per_generation)
    return (
        config
        if math.isinf(fitting)
        else replace(config, num_versions=min(config.num_versions, num_trained + int(fitting)))
    )


def clock_path(files: CampaignFiles) -> Path:
    """Return where the flow writes the clock of its run."""
    return files.root / "scratch" / "budget" / "clock.json"


def hours_left(files: CampaignFiles) -> float:
    """Return the hours up to the time at which the present run must have ended; infinity where it need not."""
    clock = read_numbers(clock_path(files))  # hours are counted by a clock that nobody sets; `until` is a date
    by_date, by_hours = clock.get("ends_at", math.inf), clock.get("ends_after", math.inf)
    return max(0.0, min(by_date - time.time(), by_hours - time.monotonic()) / SECONDS_AN_HOUR)


def gate_hours(files: CampaignFiles, config: Config) -> float:
    """Return how long a person may take at a gate: its own timeout, or until the run must begin its certificate."""
    left = hours_left(files)
    if math.isfinite(left):
        left = max(0.0, left - read_allowance(files, config).certificate.hours)
    return min(config.autonomy.timeout_hours, left)


def _fit(left: float, needed: float) -> float:
    return math.floor(left / needed) if needed and math.isfinite(left) else math.inf if left > 0 else 0


MARGIN = 1.25
"""Of the certificate's estimate: it is not measured, and must not be cut short."""
CERTIFIED_POLICIES, EVALUATIONS_OF_BASE = 3, 2


def _version_estimate(files: CampaignFiles, expenses: list[Expense]) -> Amounts | None:
    """Return what a trained version takes at most, as measured; None where none was trained yet."""
    found: Amounts | None = None
    for version in files.version_names():
        summary = files.version(version).training_summary.find()
        if summary is not None and summary.trained and files.version(version).verdict.exists():
            took = spent([one for one in expenses if one.subject == version and one.is_finished])
            whole = read_numbers(files.version(version).costs / f"{WHOLE}.json").get("wall_seconds", 0.0)
            found = (found or took).or_more(took).or_more(Amounts(hours=whole / SECONDS_AN_HOUR))
    return found


def _certificate_estimate(files: CampaignFiles, config: Config, expenses: list[Expense]) -> Amounts:
    """Return what the certificate takes; nothing where it is made, or nothing was measured yet."""
    if files.certified.exists():
        return Amounts()
    own = [one for one in expenses if one.subject == BASE_VERSION and one.stage == "evaluate"]
    base = spent([one for one in own if one.is_finished] or own[:1])  # what a stop cut short says less
    share = sealed_share(files.root / config.domain.data_path, config.evaluate.max_problems)
    return base.times(MARGIN * CERTIFIED_POLICIES / EVALUATIONS_OF_BASE * share)


def sealed_share(folder: Path, max_problems: int) -> float:
    """Return problems of the sealed split for each that an evaluation attempts, by the sizes of files; 1 at least.

    `folder` is that of the problem set. The sealed file is not read. A person's own file is split evenly.
    """
    screen, sealed = folder / "validation.jsonl", folder / "test.jsonl"
    if not (screen.is_file() and sealed.is_file()):
        return 1.0
    with screen.open("rb") as lines:
        cut = max(1.0, sum(1 for _ in lines) / max_problems)
    return max(1.0, sealed.stat().st_size / max(1, screen.stat().st_size) * cut)


class BudgetSummary(Record):
    """The end of a campaign that has a budget."""

    reason: str = Field(description="why it ended; empty: it tried all its versions")
    left_out: list[str] = Field(description="what it would have done with a larger budget")
    limits: dict[str, float | str] = Field(description="budget.total as it was, limits that are set")
    spent: dict[str, float] = Field(
        default={}, description="by resource; hours are those of stages, side by side or not"
    )
    next_version: dict[str, float] = Field(description="estimate of one more version; empty where none was measured")
    ended_at: str = Field(default="", description="local time")


def budget_summary(files: CampaignFiles) -> Document[BudgetSummary]:
    """Return how the campaign ended."""
    return Document(files.root / "budget.json", BudgetSummary, in_declared_order(2))


def set_limits(config: Config) -> dict[str, float | str]:
    """Return the limits that are set, by name."""
    return {name: value for name, value in asdict(config.budget.total).items() if value}


def is_over(files: CampaignFiles, config: Config) -> bool:
    """Tell whether the campaign ended at the budget that it still has."""
    found = budget_summary(files).find()
    return found is not None and bool(found.reason) and found.limits == set_limits(config)


def summarise_budget(config: Config, allowance: Allowance, stopped: str, left_out: list[str]) -> BudgetSummary:
    """Return how a campaign ended; `stopped` is the error of a stage that a limit stopped."""
    reason = stopped or (_reason(config, allowance) if left_out else "")
    return BudgetSummary(
        reason=reason,
        left_out=left_out,
        limits=set_limits(config),
        next_version=allowance.version.as_dict() if allowance.version else {},
    )


def budget_line(found: BudgetSummary, config_path: Path, is_certified: bool) -> str:
    """Return in one line why a campaign ended, what it left out, and how it goes on."""
    left = f"; left out: {', '.join(found.left_out)}" if found.left_out else ""
    how = f"To go on, raise budget.total in {config_path}, commit that there, and run the campaign again"
    closed = "Its certificate closes it: what was left out needs a new campaign"
    return f"ended at its budget: {found.reason}{left}. {closed if is_certified else how}"


def _reason(config: Config, allowance: Allowance) -> str:
    names = [name for name in allowance.exhausted if name != "hours"]
    if "hours" in allowance.exhausted:
        names.insert(0, "until" if config.budget.total.until else "hours")
    limits = ", ".join(f"budget.total.{name}={getattr(config.budget.total, name)}" for name in names)
    version = allowance.version
    taken = [
        amount_text(name, amount) for name in allowance.exhausted if version and (amount := getattr(version, name))
    ]
    needed = f": one more version takes {', '.join(taken)}" if taken else ""
    return f"{limits}{needed}"
