"""What outlives a campaign: a ledger of versions, and cases with what a proven one teaches."""

from typing import Any, Literal

from pydantic import Field

from evotrainer.records.base import Outcome, Record
from evotrainer.records.revisions import Entry, Separation

Standing = Literal["domain", "general", "retired"]


class Lesson(Record):
    """What a version teaches whose recipe was proven on fresh training seeds."""

    triggers: list[str] = Field(description="findings and readings that led to the change")
    changes: list[str] = Field(description="each key, with its ratio or its new value")
    low: float
    high: float = Field(description="interval of the score's gain over training seeds")
    hypothesis: str
    validation: str


class CardTrial(Record):
    """What became of a card in one campaign."""

    campaign: str
    domain: str
    campaign_seed: int
    outcome: Entry = Field(description="its last: accepted, provisional, kept, expired or refused")
    reason: str
    separation: Separation | None = None


class RememberedCard(Record):
    """What an evolved diagnostic measures or moves, without its bound, and what it was worth in each campaign."""

    name: str
    formula: str
    columns: list[str] = Field(default=[], description="that its term reads; empty for a moved limit")
    term: dict[str, Any] = Field(default={}, description="the term of the grammar; empty for a moved limit")
    sign: int = Field(default=0, description="1: it grows towards bad versions, -1: it falls")
    limits: dict[str, float] = Field(default={}, description="limits that it moves")
    mode: str = Field(default="", description="of the finding whose limits it moves")
    num_moves: int = Field(default=1, description="moves of limits that were tried for it")
    also: list[str] = Field(default=[], description="names of cards that said the same")
    trials: list[CardTrial]

    @property
    def domains(self) -> list[str]:
        """Domains in which it was accepted and stayed in force, sorted."""
        return sorted({trial.domain for trial in self.trials if trial.outcome == "accepted"})

    @property
    def successes(self) -> int:
        """Campaigns that ended with it accepted."""
        return sum(trial.outcome == "accepted" for trial in self.trials)

    @property
    def failures(self) -> int:
        """Campaigns in which it expired or was refused."""
        return sum(trial.outcome in ("expired", "refused") for trial in self.trials)

    @property
    def standing(self) -> Standing:
        """retired: two more failures than successes; general: accepted in two domains."""
        if self.failures >= self.successes + 2:
            return "retired"
        return "general" if len(self.domains) >= 2 else "domain"


class Case(Record):
    """An evidence snapshot, what was tried on it and how it ended."""

    campaign: str
    version: str
    domain: str
    campaign_seed: int = Field(default=0, description="0 stands for cases stored without it, too")
    findings: list[str] = Field(description="modes of the report it was proposed on")
    metrics: dict[str, float] = Field(description="of that report: before the change")
    factor: str
    change: str = Field(default="", description="factor with the direction or value of each change; empty: not stored")
    outcome: Outcome
    difference: float | None = Field(description="of the score to its incumbent; null where none was measured")
    lesson: Lesson | None = Field(
        default=None, exclude_if=lambda value: value is None, description="null where no recipe was proven"
    )


class LedgerRow(Record):
    """One version of any campaign, in one line."""

    campaign: str
    version: str
    domain: str
    kind: str
    parents: list[str]
    factor: str
    diff: dict[str, tuple[Any, Any]]
    outcome: Outcome
    score: float | None = Field(description="the honest one where a leak made it be scored again")
    difference: float | None
    tokens: float
    dollars: float = Field(
        default=0.0, exclude_if=lambda value: not value, description="of the trainer agent's answers"
    )
