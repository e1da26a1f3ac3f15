"""What a campaign spent, beside what came of it: a row a version, or a row a stage."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evotrainer.campaign.budget.allowance import Allowance, read_allowance
from evotrainer.campaign.budget.amounts import Amounts
from evotrainer.campaign.budget.ending import Ending, ending
from evotrainer.campaign.budget.ledger import Expense, read_ledger, spent
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.repository import read_records
from evotrainer.config import Config

VERSION_COLUMNS = ["version", "verdict", "score", "GPU h", "$", "tokens", "trajectories", "min"]
EXPENSE_COLUMNS = ["version", "stage", "GPU h", "$", "tokens", "trajectories", "min"]


@dataclass(frozen=True)
class Spending:
    """The ledger of a campaign and the state of its budget."""

    expenses: list[Expense]
    outcomes: dict[str, tuple[str, float | None]]
    """{version: (verdict, score)}."""
    allowance: Allowance | None
    """None where the campaign has no budget."""
    ending: Ending | None

    @property
    def total(self) -> Amounts:
        """The sum; hours are those of stages, side by side or not."""
        return spent(self.expenses)

    def as_dict(self) -> dict[str, Any]:
        """Return plain values."""
        found = self.allowance
        return {
            "expenses": [
                {"subject": one.subject, "stage": one.stage, "finished": one.is_finished, **one.amounts.as_dict()}
                for one in self.expenses
            ],
            "spent": self.total.as_dict(),
            "left": found.left.as_dict() if found else None,
            "next_version": found.version.as_dict() if found and found.version else None,
            "ending": self.ending.model_dump(mode="json") if self.ending else None,
        }


def spending(files: CampaignFiles, config: Config) -> Spending:
    """Return what a campaign spent up to now."""
    total = config.budget.total
    outcomes = {one.spec.version: (one.verdict.outcome, one.honest_score) for one in read_records(files)}
    return Spending(
        expenses=read_ledger(files, total.accelerator_price),
        outcomes=outcomes,
        allowance=read_allowance(files, config) if total.is_limited else None,
        ending=ending(files).find(),
    )


def version_rows(found: Spending) -> list[list[str]]:
    """Return a row a subject, in the order of the ledger."""
    rows = []
    for subject in dict.fromkeys(one.subject for one in found.expenses):
        outcome, score = found.outcomes.get(subject, ("", None))
        own = spent([one for one in found.expenses if one.subject == subject])
        rows.append([subject, outcome, "" if score is None else f"{score:.4f}", *_cells(own)])
    return rows


def expense_rows(found: Spending) -> list[list[str]]:
    """Return a row a stage."""
    marks = {True: "", False: " (under way or stopped)"}
    return [[one.subject, one.stage + marks[one.is_finished], *_cells(one.amounts)] for one in found.expenses]


def _cells(amounts: Amounts) -> Sequence[str]:
    return [
        f"{amounts.accelerator_hours:.2f}",
        f"{amounts.dollars:.2f}",
        f"{amounts.tokens:,.0f}",
        f"{amounts.trajectories:,.0f}",
        f"{amounts.hours * 60:.1f}",
    ]
