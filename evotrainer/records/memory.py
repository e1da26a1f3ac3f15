"""What outlives a campaign: a ledger of versions, and cases with what a proven one teaches."""

from typing import Any

from pydantic import Field

from evotrainer.records.base import Outcome, Record


class Lesson(Record):
    """What a version teaches whose recipe was proven on fresh training seeds."""

    triggers: list[str] = Field(description="findings and readings that led to the change")
    changes: list[str] = Field(description="each key, with its ratio or its new value")
    low: float
    high: float = Field(description="interval of the score's gain over training seeds")
    hypothesis: str
    validation: str


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
