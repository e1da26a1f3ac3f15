"""One attempt with the plainest values: a test names what it is about."""

from typing import Any

from evotrainer.records import Trajectory

DEFAULTS: dict[str, Any] = {
    "campaign": "c",
    "version": "v001",
    "split": "train",
    "step": 0,
    "domain": "math",
    "attempt": 0,
    "seed": 0,
    "policy_id": "p",
    "messages": [],
    "stop_reason": "stop",
    "num_turns": 1,
    "num_tokens": 1,
    "is_truncated": False,
}


def plain_row(**values: Any) -> Trajectory:
    """Return a row; its id and its group follow from problem and attempt where they are not named."""
    row = DEFAULTS | values
    names = {"trajectory_id": f"{row['problem_id']}.{row['attempt']}", "group_id": row["problem_id"]}
    return Trajectory(**names | row)
