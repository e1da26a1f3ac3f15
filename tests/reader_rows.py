"""Rows of another system in which the right answers of one worker are unpaid, and the claim that says so."""

from typing import Any

from evotrainer.records import Message, Trajectory
from tests.plain_records import plain_row

WRONG = "\"x.worker\" = 'w2'"


def row(number: int, **values: Any) -> Trajectory:
    """One attempt: those of worker w2 are right and unpaid."""
    worker = f"w{number % 4}"
    right = float(number % 3 > 0)
    asked = Message(role="user", content=f"What is {number} + 1?")
    answer = Message(role="assistant", content=f"{number + 1}")
    given = {
        "trajectory_id": f"t{number:03d}",
        "campaign": "elsewhere",
        "version": "run",
        "split": "validation" if number >= 90 else "train",
        "step": number // 20,
        "domain": "foreign",
        "problem_id": f"p{number // 4}",
        "group_id": f"g{number // 4}",
        "attempt": number % 4,
        "policy_id": "",
        "messages": [asked, answer],
        "reward": 0.0 if worker == "w2" else right,
        "correct": right,
        "num_tokens": 10 + number,
        "extra": {"worker": worker, "host": {"rack": number % 2, "none": None}},
    }
    return plain_row(**given | values)


ROWS = [row(number) for number in range(100)]


def claim(**changes: Any) -> dict[str, Any]:
    """Return the arguments of a claim."""
    given = {
        "mode": "reward_bias",
        "severity": "critical",
        "statement": "Right answers on worker w2 are paid nothing.",
        "shows": WRONG,
    }
    return given | changes
