"""Problems, the attempts at them, and the signals of training: the parts of the evidence."""

from typing import Any, Literal

from pydantic import Field

from evotrainer.records.base import Record, Split


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
    """One message of a trajectory, OpenAI-style. `ok`: whether a tool call succeeded."""

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
