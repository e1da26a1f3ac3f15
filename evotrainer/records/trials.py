"""Trials: what the lineages of all search systems have in common, our own versions and imported records.

A trial is one edit with its hypothesis and what an evaluator said of it (arXiv 2605.05724). Its label is typed:
`keep`, `discard` and seven ways to end without a score that counts. A `harness_abort` is the infrastructure's doing:
agents never see it, and it is never counted against a recipe.
"""

from typing import Literal, get_args

from pydantic import Field

from evotrainer.records.base import Outcome, Record

TrialLabel = Literal[
    "keep",
    "discard",
    "crash",
    "preflight_crash",
    "size_blocked",
    "train_budget_overrun",
    "eval_budget_overrun",
    "disqualified",
    "harness_abort",
    "baseline",
    "unrecorded",
]
TRIAL_LABELS: tuple[str, ...] = get_args(TrialLabel)[:9]
"""The nine outcomes of a trial; `baseline` is no trial, and of an `unrecorded` one nobody wrote the outcome down."""
HIDDEN_LABELS = ("harness_abort", "unrecorded")
"""Labels that say nothing of the edit: hidden from agents, counted for nobody."""
VALID_LABELS = ("keep", "discard")
"""Labels of trials that ran within all limits: their score counts."""

Better = Literal["lower", "higher"]


class Trial(Record):
    """One trial. `expected` and `delta` are changes of the score, in its unit, as written: signed, not turned."""

    trial_id: str
    specialist: str
    label: TrialLabel
    parents: list[str] = Field(default=[], description="trials whose edits it builds on; empty for a baseline")
    against: str = Field(default="", description="the best trial of its time, which `delta` is measured from")
    hypothesis: str = ""
    expected: float | None = Field(default=None, description="predicted change of the score")
    probability: float | None = Field(default=None, description="credence that the sign is right, where one was given")
    score: float | None = None
    delta: float | None = Field(default=None, description="observed change of the score")
    hit: bool | None = Field(default=None, description="whether the sign came true; null: undecided or not predicted")
    change: str = Field(default="", description="what it changes, in a few words, where that is known")
    time: str = ""
    numbers: dict[str, float] = Field(default={}, description="further measured columns, like sizes and seconds")
    snapshot: str = ""
    notes: str = ""


class ImportNote(Record):
    """Something odd about a line of an imported file, and what was made of it."""

    line: int
    kind: str
    text: str


class TrialSet(Record):
    """The trial records of one file: the content of trials/NAME/trials.json."""

    name: str
    source: str = Field(description="name of the file")
    sha256: str = Field(description="of the file's bytes")
    score_name: str
    better: Better
    trials: list[Trial]
    notes: list[ImportNote] = []
    noise_floor: float | None = Field(default=None, description="of repeats of one script; null: nothing was repeated")


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
    lesson: Lesson | None = Field(default=None, description="null where no recipe was proven")
