"""What outlives a campaign: lessons, cases and searches."""

from typing import Any

from evotrainer.records.base import Outcome, Record


class Skill(Record):
    """A reusable lesson with its track record."""

    name: str
    trigger: str
    intervention: dict[str, Any]
    expected_outcome: str
    validation: str
    domains: list[str]
    successes: int = 0
    failures: int = 0


class Case(Record):
    """An evidence snapshot, what was tried on it and how it ended."""

    campaign: str
    version: str
    domain: str
    findings: list[str]
    metrics: dict[str, float]
    factor: str
    outcome: Outcome
    difference: float


class SearchTrace(Record):
    """One query of a trainer agent and what it found."""

    version: str
    query: str
    sources: list[str]
    artifacts: list[str] = []
