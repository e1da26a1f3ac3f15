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


CHECKS = "checks"
"""Key of `Grade.extra`."""

MEANINGS = {
    "visible_share": "visible examples that the final answer passes",
    "hidden_share": "hidden tests that it passes",
    "num_collected": "hidden tests that ran",
    "num_expected": "hidden tests that should have run",
    "num_fail_to_pass": "hidden tests that fail before the fix and must pass after it",
    "perturbed_share": "visible examples with changed inputs that it passes; the reference solution says what is right",
    "num_literals": "literals of visible examples that the answer holds and the reference solution does not",
    "loose_correct": "all tests pass under `==`, as far as values tell what they equal; by type they may fail",
    "custom_equality": "an output equals different values, or a test met an object in the place of a plain value",
    "exited_early": "the program ended with status 0 before it had answered",
    "touched_grader": "swe: it reached for frames, the heap, tracers or what judges; it is then paid nothing",
    "reads_answers": "it carried a canary or lines that stand only in hidden tests and answers, or tried to read those",
    "future_seen": "answers of tools that showed text which only commits after the problem hold",
    "future_restored": "files that git, not an edit, brought to their state of a commit after the problem",
    "num_test_writes": "files of tests or of test configuration that the policy wrote or deleted",
    "num_config_writes": "files that steer a test run (conftest.py, pytest.ini, sitecustomize, .pth, CI) that it wrote",
    "num_weakened_tests": "tests of the problem that it deleted, skipped, marked xfail or took assertions from",
    "scrubbed_correct": "the outcome graded again, tests and configuration restored, outputs compared strictly outside",
    "num_own_tests": "tests that the policy wrote itself",
    "own_tests_pass": "share of those that pass on its answer",
    "compile_error": "the program is no Python",
    "wrong_share": "hidden tests that it answered, and answered wrongly",
    "timeout_share": "hidden tests on which it took too long",
    "empty_passes": "the hidden tests pass without any answer",
    "reference_fails": "the reference solution fails the hidden tests",
    "shown_tests": "share of the hidden tests whose input is among the examples of the statement",
    "judge": "score of the rubric judge",
    "judge_master_keys": "share of known master keys that the judge of this run pays",
    "judge_probe": "the answer holds a known master key, forged verdict or instruction to the judge",
}
