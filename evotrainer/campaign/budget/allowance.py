"""What is left of a campaign's budget, and how many further versions fit into it.

    left = limits - spent - held for the certificate - held for other open versions

The clock of a run stands in scratch/budget/clock.json, which its flow writes: seconds of earlier runs, the start of
this one, and the time at which it must have ended. It counts for as long as that flow lives.
"""

import math
import time
from dataclasses import dataclass, replace
from pathlib import Path

from evotrainer.campaign.budget.amounts import NAMES, Amounts
from evotrainer.campaign.budget.estimate import certificate_estimate, version_estimate
from evotrainer.campaign.budget.ledger import SECONDS_AN_HOUR, Expense, read_ledger, spent
from evotrainer.campaign.documents import read_numbers
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.config import Config
from evotrainer.config.operation import TotalBudgetConfig


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
        limits=replace(limits_of(total), hours=hours_left(files)),
        spent=replace(spent(expenses), hours=0.0),
        version=version_estimate(files, expenses),
        certificate=certificate_estimate(files, config, expenses),
    )


def limits_of(total: TotalBudgetConfig) -> Amounts:
    """Return the configured limits, infinity for none; `until` is no amount."""
    values = {name: getattr(total, name) or math.inf for name in NAMES}
    return Amounts(**values)


def reserved_for_others(
    files: CampaignFiles, subject: str, estimate: Amounts | None, expenses: list[Expense]
) -> Amounts:
    """Return what is held for the other open versions: the estimate of each, less what it has spent."""
    held = Amounts()
    for version in files.version_names() if estimate is not None else ():
        if version != subject and not files.version(version).verdict.is_file():
            own = spent([one for one in expenses if one.subject == version])
            held += (estimate or own).minus(own)
    return replace(held, hours=0.0)


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
    clock = read_numbers(clock_path(files))
    if "ends_at" not in clock:
        return math.inf
    return max(0.0, (clock["ends_at"] - time.time()) / SECONDS_AN_HOUR)


def gate_hours(files: CampaignFiles, config: Config) -> float:
    """Return how long a person may take at a gate: its own timeout, or until the run must begin its certificate."""
    left = hours_left(files)
    if math.isfinite(left):
        expenses = read_ledger(files, config.budget.total.accelerator_price)
        left = max(0.0, left - certificate_estimate(files, config, expenses).hours)
    return min(config.autonomy.timeout_hours, left)


def _fit(left: float, needed: float) -> float:
    return math.floor(left / needed) if needed and math.isfinite(left) else math.inf if left > 0 else 0
