"""Versions: their identity, decision and place in the lineage, what a person answered; the certificate at the end."""

from typing import Literal

from pydantic import Field

from evotrainer.records.base import Access, AccessPolicy, Outcome, Record, VersionKind
from evotrainer.records.claims import Attribution, CheckpointClaim, Confirmation, NoiseFloor
from evotrainer.records.findings import Finding
from evotrainer.records.interventions import Backtest, Intervention

GateDecision = Literal["approve", "revise", "abort"]
AnsweredBy = Literal["person", "timeout"]


class Comparison(Record):
    """Paired comparison of two versions on the same problems; scores and differences in [-1, 1]."""

    against: str
    metric: str
    num_problems: int
    attempts: int
    score: float
    other_score: float
    difference: float
    low: float
    high: float
    wilcoxon_p: float
    noise_floor: float | None = Field(default=None, description="SD of the difference of two evaluations of one policy")


LOST_ATTEMPTS, DUPLICATE = "lost_attempts", "duplicate"
NO_TRIAL = (LOST_ATTEMPTS, DUPLICATE)
"""Labels of verdicts without evidence about a recipe: attempts lost to infrastructure, or a known policy."""


class Verdict(Record):
    """The decision about one version; never rewritten."""

    version: str
    outcome: Outcome
    label: str = Field("", description="crash, train_budget_overrun, ... of a failed one, or one of NO_TRIAL")
    claim: str
    reasons: list[str]
    score: float | None
    score_low: float | None = None
    score_high: float | None = None
    greedy_score: float | None = None
    leak_free_score: float | None = Field(default=None, description="under `rescored_under`, after a leak")
    rescored: dict[str, float] = Field(default={}, description="scores of peers under `rescored_under`, by version")
    rescored_under: AccessPolicy | None = Field(default=None, description="of both; null: nothing was scored again")
    comparisons: list[Comparison] = []
    gate: CheckpointClaim | None = Field(default=None, description="null where no fresh rows were drawn")
    noise_floor: NoiseFloor | None = Field(default=None, description="of the campaign, measured on the base policy")
    prediction_observed: float | None = Field(default=None, description="observed change of the predicted metric")
    prediction_hit: bool | None = None
    gate_version: str
    harness_version: str

    @property
    def is_undecided(self) -> bool:
        """Whether the gate ended without a decision: nothing is claimed, but the score is to be believed."""
        return self.outcome == "inconclusive" and self.gate is not None and not self.label


class GateAnswer(Record):
    """The answer at one gate of a version; part of its inputs, so that a repetition does not ask."""

    version: str
    gate: Literal["diagnosis", "proposal", "backtest", "completion"]
    decision: GateDecision
    text: str = Field(default="", description="what the person wrote; of a revision for the trainer agent")
    candidate: str = Field(default="", description="intervention_id that the answer is about; empty before a proposal")
    answered_by: AnsweredBy = "person"
    at: str = Field(default="", description="local time of the answer; empty: not known")

    @property
    def as_input(self) -> "GateAnswer":
        """The answer as stages read it: without its time, so that equal decisions are equal inputs."""
        return self.model_copy(update={"at": ""})

    @property
    def ending(self) -> str:
        """How it ended a version, in a sentence's part, with its text."""
        who = "a person" if self.answered_by == "person" else "the timeout"
        ended = "rolled it back" if self.gate == "completion" else "gave it up"
        did = "sent its last candidate back" if self.decision == "revise" else ended
        return f"{who} {did} at its {self.gate}" + (f' ("{self.text}")' if self.text else "")


class VersionSpec(Record):
    """What a flow fixes before a version starts; the version's identity and its place in the lineage."""

    campaign: str
    version: str
    generation: int
    slot: int
    kind: VersionKind
    parents: list[str]
    incumbent: str
    campaign_seed: int
    replicate: int = 0
    harness_revision: str = Field(default="", description="of the harness that judges it, like r03; empty: as it came")
    access: Access = Access()
    shares: dict[str, str] = Field(
        default={}, description="by stage, rollout or propose: the version whose output it takes in place of its own"
    )


class TrainingSummary(Record):
    """Whether and how a version trained: the content of training.json."""

    trained: bool
    reason: str = Field(default="", description="why it did not train, or not to its end")
    label: str = Field(default="", description="of a run that was stopped, like train_budget_overrun")
    num_steps: int = Field(default=0, description="optimiser steps, those before a stop among them")
    num_tokens: int = 0
    policy_hash: str | None = Field(default=None, description="null where no policy came of it")


class VersionRecord(Record):
    """One node of the lineage: what later versions, searches and reports read of this one."""

    spec: VersionSpec
    intervention: Intervention | None
    backtest: Backtest | None
    verdict: Verdict
    findings: list[Finding]
    metrics: dict[str, float]
    harness_version: str = Field(default="", description="of the harness that measured `metrics`")
    config_hash: str = Field(description="of the effective recipe, seeds and names left out: equal hash, duplicate")
    policy_hash: str | None
    cost: dict[str, float] = Field(default={}, description="tokens and seconds by stage")
    rescored: float | None = Field(default=None, description="its score under stricter access, by a later verdict")
    rescored_under: AccessPolicy | None = Field(default=None, description="of `rescored`")
    confirmation: Confirmation | None = Field(
        default=None, description="null where nothing was asked after the verdict"
    )
    ended_by: GateAnswer | None = Field(
        default=None,
        description="the answer at a gate that ended it: given up, its last candidate sent back, or rolled back",
    )

    @property
    def was_trial(self) -> bool:
        """Whether its outcome is evidence about its recipe."""
        return self.verdict.label not in NO_TRIAL

    @property
    def is_empty(self) -> bool:
        """Whether it was closed without a candidate: nobody had a valid one, or a person sent them all back."""
        return self.intervention is None and self.spec.kind in ("candidate", "merge")

    @property
    def was_refused(self) -> bool:
        """Whether it was closed without training because its backtest refused it."""
        return self.backtest is not None and not self.backtest.accepted

    @property
    def attribution(self) -> Attribution | None:
        """The attribution of the hypothesis; None where its recipe was not tested."""
        return self.confirmation.attribution if self.confirmation else None

    @property
    def honest_score(self) -> float | None:
        """The score under stricter access where there is one, else the score as evaluated."""
        return self.verdict.score if self.corrected is None else self.corrected[0]

    @property
    def corrected(self) -> tuple[float, AccessPolicy] | None:
        """The score under a stricter access policy than the version was evaluated under, and that policy."""
        own = self.verdict
        if own.leak_free_score is not None and own.rescored_under is not None:
            return own.leak_free_score, own.rescored_under
        if self.rescored is not None and self.rescored_under is not None:
            return self.rescored, self.rescored_under
        return None


class CertifiedScore(Record):
    """The score of one version on the sealed test split, with its interval over problems."""

    version: str
    policy_hash: str
    score: float
    low: float
    high: float
    greedy_score: float
    pass_at_k: float | None = Field(default=None, description="share of problems with a right attempt")
    leak_free_score: float | None = Field(default=None, description="under `rescored_under` of the certificate")
    error_share: float = Field(default=0.0, description="of all sampled draws, those that infrastructure lost")


class Certificate(Record):
    """Scores on the sealed test split, read once after the last version: base, baseline, final incumbent, and trunk."""

    campaign: str
    incumbent: str
    start: str = Field(
        default="v000", description="the version that reinforcement learning starts from: v000, or a supervised stage"
    )
    num_problems: int
    attempts: int
    scores: list[CertifiedScore]
    comparisons: list[Comparison] = Field(description="the incumbent against each of the others")
    gate_version: str
    rescored_under: AccessPolicy | None = Field(
        default=None, description="the strictest access policy; null where the campaign ended under it"
    )
