"""What outlives a campaign: ledger of versions, cases, skills and cards with their track record, and searches."""

from typing import Any, Literal

from pydantic import Field

from evotrainer.records.base import Outcome, Record
from evotrainer.records.interventions import Condition
from evotrainer.records.revisions import Entry, Separation

Standing = Literal["domain", "general", "retired", "quarantined"]


class SkillChange(Record):
    """What a skill does to one recipe key: multiply it by `ratio`, or set `value` where there is no ratio."""

    key: str
    ratio: float | None = None
    value: Any = None


class SkillTrial(Record):
    """One version in which a skill was found or tried."""

    campaign: str
    version: str
    domain: str
    campaign_seed: int = Field(default=0, description="0 stands for trials stored without it, too")
    succeeded: bool
    difference: float = Field(description="of the score to its incumbent, in [-1, 1]")
    is_invalid: bool = Field(default=False, description="its version, or what it was judged by, is invalid")


class Skill(Record):
    """A reusable lesson with its track record. Its place in the library follows from its trials."""

    name: str
    factor: str
    modes: list[str] = Field(description="findings that call for it; any of them")
    conditions: list[Condition] = Field(default=[], description="readings that call for it; all of them")
    changes: list[SkillChange]
    expected_low: float
    expected_high: float
    hypothesis: str
    validation: str
    trials: list[SkillTrial]

    @property
    def domains(self) -> list[str]:
        """Domains in which it succeeded, sorted."""
        return sorted({trial.domain for trial in self.trials if trial.succeeded and not trial.is_invalid})

    @property
    def successes(self) -> int:
        """Trials that succeeded and still stand."""
        return sum(trial.succeeded and not trial.is_invalid for trial in self.trials)

    @property
    def failures(self) -> int:
        """Trials that failed."""
        return sum(not trial.succeeded for trial in self.trials)

    @property
    def standing(self) -> Standing:
        """quarantined: every success is invalid; retired: two more failures than successes; general: two domains."""
        if self.successes == 0 and any(trial.is_invalid for trial in self.trials):
            return "quarantined"
        if self.failures >= self.successes + 2:
            return "retired"
        return "general" if len(self.domains) >= 2 else "domain"


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
    predicted: float | None = Field(
        default=None,
        exclude_if=lambda value: value is None,
        description="by its backtest, without a learned term; null where none was stored",
    )
    numbers: dict[str, float] = Field(
        default={}, exclude_if=lambda value: not value, description="of its backtest's replay"
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
