"""Findings, gaps and reports of the harness."""

from typing import Literal

from pydantic import Field

from evotrainer.records.base import Record, Severity
from evotrainer.records.interventions import Condition

READER = "reader"
"""The diagnostic of a finding that a model read from the rows, and no rule."""


class Finding(Record):
    """A claim of one diagnostic about one version, with the numbers that support it and rows a person can open."""

    mode: str
    severity: Severity
    diagnostic: str
    version: str
    step: int | None = None
    message: str
    numbers: dict[str, float] = {}
    thresholds: dict[str, float] = {}
    trajectory_ids: list[str] = []
    reads_validation: bool = Field(
        default=False,
        exclude_if=lambda value: not value,
        description="whether the diagnostic read validation rows: an agent must not see it",
    )
    doubt: str = Field(
        default="",
        exclude_if=lambda value: not value,
        description="what explains it, by a model that read the rows: the rules call it critical",
    )
    follows_from: str = Field(
        default="", exclude_if=lambda value: not value, description="mode of the finding that explains this one"
    )
    excerpt: str = Field(
        default="", exclude_if=lambda value: not value, description="end of what the policy wrote in the first row"
    )


class Gap(Record):
    """Something the harness could not explain: the reason for a harness revision."""

    kind: Literal["unexplained_score", "contradiction", "failed_prediction", "uncovered_contrast"]
    version: str
    message: str
    numbers: dict[str, float] = {}
    modes: list[str] = Field(default=[], description="of the findings that it is about")
    columns: list[str] = Field(default=[], description="behaviour columns that it is about")


class Unjudged(Record):
    """A mode that could not be looked for: silence about it means nothing."""

    mode: str
    diagnostic: str
    missing: list[str] = Field(description="what its diagnostic needs and the evidence lacks")
    advice: list[str] = Field(description="what to record instead, one text for each")


class HarnessReport(Record):
    """The harness's report on one set of evidence: the object printed by `diagnose --json`."""

    version: str
    harness_version: str
    metrics: dict[str, float] = {}
    findings: list[Finding] = []
    gaps: list[Gap] = []
    order: str = Field(
        default="",
        description="layer whose findings are read first; empty: the worst first; cause-first: of equals, causes",
    )
    guards: list[Condition] = Field(default=[], description="what accepted evolved diagnostics hold for healthy")
    seconds: dict[str, float] = Field(default={}, description="cost by diagnostic")
    looked_for: list[str] = Field(
        default=[],
        exclude_if=lambda value: not value,
        description="modes that this evidence was examined for, where rows of other making are diagnosed",
    )
    unjudged: list[Unjudged] = Field(
        default=[], exclude_if=lambda value: not value, description="modes that it could not be examined for"
    )
    overview: list[str] = Field(
        default=[],
        exclude_if=lambda value: not value,
        description="what rows of other making hold, and which of their columns were taken as what",
    )
