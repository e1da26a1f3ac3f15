"""Inject a template collapse: reasoning is drawn from one template whatever the problem, and is new each time.

Wordy and varied, so that neither entropy nor repetition shows it. Answers, calls and outcomes stay those of the healthy
attempts. Over the steps of a run the share of attempts grows to the strength.
"""

from collections.abc import Sequence

from benchmarks.failure_modes.base import Rng, choose_late
from evotrainer.records import Trajectory

DOMAIN = "swe"
STRENGTHS = (0.1, 0.25, 0.5, 0.9)
_OPENINGS = ("Let me think about this carefully", "I will look at the code first", "The cause may lie deeper")
_PARTS = (
    "the function does not handle every case",
    "a value is not what the caller expects",
    "an index may be off by one",
    "the order of operations matters here",
    "an earlier change may have broken it",
    "the tests will tell more",
    "one branch is never taken",
    "a default hides the fault",
)


def inject(rows: Sequence[Trajectory], strength: float, rng: Rng) -> list[Trajectory]:
    """Return the rows with that share of the last attempts reasoning by the template."""
    chosen = choose_late(rows, strength, rng)
    return [_templated(row, rng) if row.trajectory_id in chosen else row for row in rows]


def _templated(row: Trajectory, rng: Rng) -> Trajectory:
    messages = [
        message.model_copy(update={"content": _text(rng)}) if message.role == "assistant" else message
        for message in row.messages
    ]
    return row.model_copy(update={"messages": messages})


def _text(rng: Rng) -> str:
    parts = rng.choice(_PARTS, size=int(rng.integers(1, 4)), replace=False)
    return f"{rng.choice(_OPENINGS)}: {', '.join(parts)}. Step {int(rng.integers(1000))}."
