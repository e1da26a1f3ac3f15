"""The vocabulary: every record that crosses a stage border, frozen, with a JSON form.

A record carries values and paths, never open connections or tensors. Trajectories and signals are stored as Parquet
(evidence.py holds their schema), all else as JSON beside the version it belongs to. Shapes follow method.md's words:
a *problem* has ground truth, a *trajectory* is one attempt at it, a *group* the attempts that share a problem and a
step, an *intervention* a config diff with a prediction, a *verdict* the decision about a version.
"""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

SCHEMA_VERSION = 2

Split = Literal["train", "probe", "validation", "test", "holdout"]
Severity = Literal["info", "warning", "critical", "invalid"]
Direction = Literal["up", "down", "none"]
Operator = Literal["<", "<=", ">", ">=", "=="]
Outcome = Literal["promoted", "kept", "rejected", "invalid", "inconclusive", "failed"]
VersionKind = Literal["base", "baseline", "candidate", "merge"]


class Record(BaseModel):
    """Base of all records: immutable, and a field that is not declared is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Problem(Record):
    """One item with ground truth. `data` holds what only its domain reads (hidden tests, repository)."""

    problem_id: str
    domain: str
    family: str
    split: Split
    prompt: str
    answer: str
    difficulty: float = Field(default=0.0, description="a-priori difficulty in [0, 1], used by curricula")
    data: dict[str, Any] = {}


class ToolCall(Record):
    """One tool call of an assistant message."""

    name: str
    arguments: dict[str, Any] = {}


class Message(Record):
    """One message of a trajectory, OpenAI-style. `ok` tells whether a tool call succeeded."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str = ""
    tool_calls: list[ToolCall] = []
    tool_name: str | None = None
    ok: bool | None = None
    num_tokens: int | None = None
    mean_logprob: float | None = Field(default=None, description="mean over the sampled tokens, nats")


class Trajectory(Record):
    """One attempt at one problem: one row of the evidence."""

    trajectory_id: str
    campaign: str
    version: str
    split: Split
    step: int
    domain: str
    problem_id: str
    group_id: str
    attempt: int
    seed: int
    policy_id: str
    messages: list[Message]
    reward: float | None = Field(default=None, description="weighted sum of reward_terms; null when error is set")
    reward_terms: dict[str, float] = {}
    correct: float | None = Field(default=None, description="binary correctness, 0 or 1; null when error is set")
    advantage: float | None = Field(default=None, description="null where no training consumed the row")
    in_loss: bool | None = None
    stop_reason: str
    error: str | None = Field(default=None, description="type of the infrastructure error, or null")
    num_turns: int
    num_tokens: int = Field(description="sampled tokens over all turns")
    is_truncated: bool
    format_ok: bool | None = None
    duration_seconds: float | None = None
    started_at: str | None = Field(default=None, description="ISO 8601, UTC; null in closed versions")
    extra: dict[str, Any] = Field(default={}, description="domain fields: family, lenient_correct, answer, ...")


class TokenTurn(Record):
    """The token ids of one assistant turn, as sampled: what training consumes, without re-tokenisation."""

    trajectory_id: str
    turn: int
    prompt_ids: list[int]
    token_ids: list[int]
    logprobs: list[float]
    in_loss: bool


class Signals(Record):
    """Training signals of one optimiser step: ratios and shares in [0, 1], kl and entropy in nats a token."""

    campaign: str
    version: str
    step: int
    loss: float
    grad_norm: float
    kl: float
    entropy: float
    clip_fraction: float
    mean_ratio: float
    dead_group_ratio: float
    kept_groups: float
    num_tokens: int
    seconds: float
    extra: dict[str, float] = {}


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


class Gap(Record):
    """Something the harness could not explain: the reason for a harness revision."""

    kind: Literal["unexplained_score", "contradiction", "failed_prediction", "uncovered_contrast"]
    version: str
    message: str
    numbers: dict[str, float] = {}


class HarnessReport(Record):
    """What the harness says of one body of evidence: the object printed by `diagnose --json`."""

    version: str
    harness_version: str
    metrics: dict[str, float] = {}
    findings: list[Finding] = []
    gaps: list[Gap] = []
    seconds: dict[str, float] = Field(default={}, description="cost by diagnostic")


class Condition(Record):
    """A testable statement about a metric, e.g. dead_group_ratio <= 0.3."""

    metric: str
    operator: Operator
    value: float


class Prediction(Record):
    """What an intervention says will happen to a metric of the harness report, relative to the incumbent."""

    metric: str
    direction: Direction
    size: float = Field(description="expected change, in the metric's unit, signed")
    low: float
    high: float
    probability: float = Field(description="credence, in [0, 1], that the direction is right")


class Intervention(Record):
    """A config diff with its falsifiable hypothesis. `diff` maps a flat key to [old, new]; its hash is the id."""

    intervention_id: str
    author: str
    factor: str
    diff: dict[str, tuple[Any, Any]]
    hypothesis: str
    prediction: Prediction
    success: list[Condition]
    limits: list[Condition] = Field(description="side effects that must not be exceeded")
    negative_controls: list[Condition] = Field(default=[], description="what the hypothesis says must not move")
    rollback: str
    evidence: list[str] = Field(default=[], description="modes of the findings that led to it")
    parents: list[str]


class Backtest(Record):
    """What replay on cached evidence says of an intervention, before any training is paid for."""

    intervention_id: str
    family: str
    accepted: bool
    reason: str
    predicted_effect: float = Field(description="predicted change of the score, in [-1, 1]; ranks candidates")
    usable_groups_before: float
    usable_groups_after: float
    order_violations: float = Field(description="share of group pairs where a correct attempt ranks below a wrong one")
    mistruncated_correct: float = Field(description="share of correct answers that the new budget would cut")
    numbers: dict[str, float] = {}


class Proposal(Record):
    """The ranked pool of one propose stage and the candidate that this version takes."""

    version: str
    pool: list[Intervention]
    backtests: list[Backtest] = Field(description="one for each of the pool, in its order, on cached evidence alone")
    chosen: str | None = Field(description="intervention_id; null for the baseline")
    refused: list[str] = Field(default=[], description="proposals that broke a rule, with the reason")
    agent: str


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


class Verdict(Record):
    """The decision about one version; never rewritten."""

    version: str
    outcome: Outcome
    label: str = Field("", description="for failed: crash, train_budget_overrun, ...")
    claim: str
    reasons: list[str]
    score: float | None
    score_low: float | None = None
    score_high: float | None = None
    greedy_score: float | None = None
    counterfactual_score: float | None = None
    comparisons: list[Comparison] = []
    prediction_observed: float | None = Field(default=None, description="observed change of the predicted metric")
    prediction_hit: bool | None = None
    gate_version: str
    harness_version: str


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


class VersionRecord(Record):
    """One node of the lineage: what later versions, searches and reports read of this one."""

    spec: VersionSpec
    intervention: Intervention | None
    backtest: Backtest | None
    verdict: Verdict
    findings: list[Finding]
    metrics: dict[str, float]
    config_hash: str = Field(description="of the effective recipe, seeds and names left out: equal hash, duplicate")
    policy_hash: str | None
    cost: dict[str, float] = Field(default={}, description="tokens and seconds by stage")


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


class CertifiedScore(Record):
    """The score of one version on the sealed test split, with its interval over problems."""

    version: str
    policy_hash: str
    score: float
    low: float
    high: float
    greedy_score: float


class Certificate(Record):
    """What the sealed test split says, read once after the last version: base, baseline and final incumbent."""

    campaign: str
    incumbent: str
    num_problems: int
    attempts: int
    scores: list[CertifiedScore]
    comparisons: list[Comparison] = Field(description="the incumbent against v000 and v001, where it is not itself one")
    gate_version: str


class BenchRun(Record):
    """One campaign of a bench: which arm, which seed, and what its certificate says."""

    arm: str
    seed: int
    certificate: Certificate
    num_trained: int
    num_promoted: int
