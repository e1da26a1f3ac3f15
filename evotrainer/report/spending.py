"""What a campaign spent, beside what came of it: a row a version."""

from collections.abc import Sequence
from dataclasses import dataclass

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.ledger import Amounts, Expense, read_ledger, spent
from evotrainer.campaign.repository import read_records
from evotrainer.config import Config

VERSION_COLUMNS = ["version", "verdict", "score", "GPU h", "$", "tokens", "trajectories", "min"]


@dataclass(frozen=True)
class Spending:
    """The ledger of a campaign and its verdicts."""

    expenses: list[Expense]
    outcomes: dict[str, tuple[str, float | None]]
    """{version: (verdict, score)}."""

    @property
    def total(self) -> Amounts:
        """The sum; hours are those of stages, side by side or not."""
        return spent(self.expenses)


def spending(files: CampaignFiles, config: Config) -> Spending:
    """Return what a campaign spent up to now."""
    outcomes = {one.spec.version: (one.verdict.outcome, one.honest_score) for one in read_records(files)}
    return Spending(expenses=read_ledger(files, config.budget.total.accelerator_price), outcomes=outcomes)


def version_rows(found: Spending) -> list[list[str]]:
    """Return a row a subject, in the order of the ledger."""
    rows = []
    for subject in dict.fromkeys(one.subject for one in found.expenses):
        outcome, score = found.outcomes.get(subject, ("", None))
        own = spent([one for one in found.expenses if one.subject == subject])
        rows.append([subject, outcome, "" if score is None else f"{score:.4f}", *_cells(own)])
    return rows


def _cells(amounts: Amounts) -> Sequence[str]:
    return [
        f"{amounts.accelerator_hours:.2f}",
        f"{amounts.dollars:.2f}",
        f"{amounts.tokens:,.0f}",
        f"{amounts.trajectories:,.0f}",
        f"{amounts.hours * 60:.1f}",
    ]
