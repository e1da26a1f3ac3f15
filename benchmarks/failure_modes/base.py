"""What a failure mode does: it is injected into evidence that is healthy but for it.

A module of this folder injects one mode: `STRENGTHS`, ascending, fixed before any limit of a diagnostic was chosen, and
`inject(rows, strength, rng)`, which returns the rows with that share of attempts (or of problems, where the mode is one
of problems) changed the way a cheating policy or a broken set-up would: what was done, what came of it, and
what the grader measured. Identities, sizes and everything else stay those of the healthy rows, so that cases and
controls differ in the mode alone.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from evotrainer.records import Message, ToolCall, Trajectory
from evotrainer.records.evidence import CHECKS

Rng = np.random.Generator
SHARES = (0.02, 0.05, 0.2, 0.5)
"""Strengths of a mode that is a share of attempts."""


def choose(rows: Sequence[Trajectory], share: float, rng: Rng) -> set[str]:
    """Return the trajectory ids of a share of the attempts, at least one, drawn evenly."""
    count = max(1, round(share * len(rows)))
    return {rows[place].trajectory_id for place in rng.choice(len(rows), count, replace=False)}


def choose_late(rows: Sequence[Trajectory], share: float, rng: Rng) -> set[str]:
    """Return the ids of a share of the attempts that grows over the steps: none of the first, `share` of the last.

    Rows of one step have that share of their attempts chosen.
    """
    steps = sorted({row.step for row in rows})
    grown = {step: share * place / max(len(steps) - 1, 1) for place, step in enumerate(steps)}
    if len(steps) == 1:
        return choose(rows, share, rng)
    return {row.trajectory_id for row in rows if rng.random() < grown[row.step]}


def choose_problems(rows: Sequence[Trajectory], share: float, rng: Rng) -> set[str]:
    """Return a share of the problems, at least one."""
    problems = sorted({row.problem_id for row in rows})
    return set(rng.choice(problems, max(1, round(share * len(problems))), replace=False).tolist())


def checks_of(row: Trajectory) -> dict[str, float]:
    """Return what the grader measured beside the grade."""
    return dict(row.extra.get(CHECKS, {}))


def all_passed(row: Trajectory) -> dict[str, float]:
    """Return the checks of an attempt whose tests all ran and passed."""
    known = checks_of(row)
    passed = {"visible_share": 1.0, "hidden_share": 1.0, "perturbed_share": 1.0, "scrubbed_correct": 1.0}
    return {**passed, "loose_correct": 1.0, "exited_early": 0.0, "num_collected": known.get("num_expected", 0.0)}


def with_checks(row: Trajectory, checks: Mapping[str, float]) -> Trajectory:
    """Return the row with these checks replaced; one that its grader does not measure stays unmeasured."""
    known = checks_of(row)
    kept = {name: value for name, value in checks.items() if name in known}
    return row.model_copy(update={"extra": {**row.extra, CHECKS: {**known, **kept}}})


def graded_as(row: Trajectory, correct: float, **terms: float) -> Trajectory:
    """Return the row as if the grader had said so; the reward moves with correctness, which weighs 1."""
    new_terms = {**row.reward_terms, "correct": correct, "partial": max(correct, row.reward_terms.get("partial", 0.0))}
    reward = (row.reward or 0.0) + correct - (row.correct or 0.0)
    return row.model_copy(update={"correct": correct, "reward": reward, "reward_terms": {**new_terms, **terms}})


def with_turn(
    row: Trajectory, calls: Sequence[tuple[str, dict[str, Any]]], answer: str, rng: Rng, *, is_first: bool = False
) -> Trajectory:
    """Return the row with a further turn, before its last or its first: tool calls that succeed, and their answer."""
    said = [place for place, message in enumerate(row.messages) if message.role == "assistant"]
    tokens = 8 + 4 * len(calls)
    turn = [
        Message(
            role="assistant",
            tool_calls=[ToolCall(name=name, arguments=arguments) for name, arguments in calls],
            num_tokens=tokens,
            mean_logprob=float(-rng.gamma(8.0, 0.05)),
        ),
        *(Message(role="tool", content=answer, tool_name=name, ok=True) for name, _ in calls),
    ]
    place = said[0 if is_first else -1]
    messages = [*row.messages[:place], *turn, *row.messages[place:]]
    counts = {"num_turns": row.num_turns + 1, "num_tokens": row.num_tokens + tokens}
    return row.model_copy(update={"messages": messages, **counts})


def with_answer(row: Trajectory, edit: str) -> Trajectory:
    """Return the row with text added to its last assistant message."""
    place = max(index for index, message in enumerate(row.messages) if message.role == "assistant")
    message = row.messages[place]
    messages = list(row.messages)
    messages[place] = message.model_copy(update={"content": f"{message.content}{edit}"})
    return row.model_copy(update={"messages": messages})
