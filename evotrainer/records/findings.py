"""Findings, gaps and reports of the harness, and its revisions: what a gate measured of a card, and each decision."""

from typing import Literal

from pydantic import Field

from evotrainer.records.base import Record, Severity
from evotrainer.records.interventions import Condition

READER = "reader"
"""The diagnostic of a finding that a model read from the rows, and no rule."""

Entry = Literal["accepted", "provisional", "refused", "kept", "expired"]


class Finding(Record):
    """A claim of one diagnostic about one version, with the numbers that support it and rows a person can open."""

    mode: str
    severity: Severity
    diagnostic: str
    version: str
    step: int | None = None
    message: str
    numbers: dict[str, float] = {}
    trajectory_ids: list[str] = []
    reads_validation: bool = Field(
        default=False, description="whether the diagnostic read validation rows: an agent must not see it"
    )
    doubt: str = Field(
        default="", description="what explains it, by a model that read the rows: the rules call it critical"
    )
    follows_from: str = Field(default="", description="mode of the finding that explains this one")
    excerpt: str = Field(default="", description="end of what the policy wrote in the first row")

    @property
    def words(self) -> str:
        """Severity, mode and message."""
        return f"{self.severity} {self.mode}: {self.message}"


class Gap(Record):
    """A change of the score that the harness could not explain: the reason for a harness revision."""

    version: str
    message: str
    numbers: dict[str, float] = {}


class Unjudged(Record):
    """A mode that could not be looked for: silence about it means nothing."""

    mode: str
    diagnostic: str
    missing: list[str] = Field(description="what its diagnostic needs and the evidence lacks")
    advice: list[str] = Field(description="what to record instead, one text for each")


class Reading(Record):
    """What a model was asked about rows of other making, what it read of them, and what that cost."""

    model: str
    endpoint: str = Field(description="its address; empty: Anthropic's")
    questions: list[str] = Field(description="what a person's checks ask, and what was answered, a line each")
    reads: list[str] = Field(description="the SELECTs that it ran and the attempts that it opened, in their order")
    refused: list[str] = Field(description="what it reported and the rows do not bear, with the reason")
    answers: int = Field(description="how often it answered")
    tokens: int
    dollars: float | None = Field(description="None where the model has no price")
    record: str = Field(description="the file of every question and answer")


class HarnessReport(Record):
    """The harness's report on one set of evidence: the object printed by `diagnose --json`."""

    version: str
    harness_version: str
    metrics: dict[str, float] = {}
    findings: list[Finding] = []
    gaps: list[Gap] = []
    guards: list[Condition] = Field(default=[], description="what accepted evolved diagnostics hold for healthy")
    seconds: dict[str, float] = Field(default={}, description="cost by diagnostic")
    looked_for: list[str] = Field(
        default=[], description="modes that this evidence was examined for, where rows of other making are diagnosed"
    )
    unjudged: list[Unjudged] = Field(default=[], description="modes that it could not be examined for")
    overview: list[str] = Field(
        default=[], description="what rows of other making hold, and which of their columns were taken as what"
    )
    reading: Reading | None = None


class DiagnosticDraft(Record):
    """A diagnostic that a trainer agent wrote for a gap; the retrospective gate decides on it as on any other."""

    gap: int = Field(ge=1, description="number of the gap that it answers")
    name: str = Field(pattern=r"^[a-z][a-z0-9_]{0,79}$", description="its metric, the share, has this name")
    formula: str = Field(min_length=1, max_length=200, description="the definition in one line, for a person")
    shows: str = Field(min_length=1, max_length=4000, description="SQL condition over attempts: these show it")
    among: str = Field(default="TRUE", max_length=4000, description="SQL condition: these could have")
    limit: float = Field(ge=0, le=1, description="a larger share of attempts raises the finding")


class Separation(Record):
    """How well a card separates known-good from known-bad stored versions."""

    num_good: int
    num_bad: int
    area: float = Field(description="chance that a bad version lies on the alarming side of a good one; 0.5 is none")
    caught: float = Field(description="share of known-bad versions that raise the finding")
    p_value: float = Field(description="by permutation of the labels over all shares searched")


class FalseAlarms(Record):
    """How often a card's finding fell on healthy evidence."""

    num_healthy: int
    num_alarms: int
    high: float = Field(description="upper 95% limit of the rate (Clopper-Pearson)")


class Decision(Record):
    """The decision on one card, or on a gap without a card."""

    plugin: str = Field(description="name of the card; empty where there is none")
    gap: str
    outcome: Entry
    reason: str
    formula: str = ""
    separation: Separation | None = None
    false_alarms: FalseAlarms | None = None


class Revision(Record):
    """One revision of a campaign's harness: the content of harness/rNN/revision.json."""

    revision: str
    harness_version: str
    labels: dict[str, str] = Field(description="known-good and known-bad versions, by honest scores")
    decisions: list[Decision]
    failed_in_a_row: list[str] = Field(default=[], description="versions whose failures made it question the evaluator")
    questioned_rows: int = Field(default=0, description="graded again because versions failed in a row")
    changed_rows: int = Field(default=0, description="of them, with another grade")

    @property
    def summary(self) -> str:
        """What entered and what left, in a few words."""
        entered = [f"{one.outcome} {one.plugin}" for one in self.decisions if one.outcome not in ("refused", "kept")]
        refused = sum(one.outcome == "refused" for one in self.decisions)
        return f"{', '.join(entered) or 'unchanged'}{f' ({refused} refused)' if refused else ''}"
