"""Judges of chat: marks between 0 and 1 that follow the answer's merit."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.sixtythird.attempts import Attempt
from benchmarks.foreign.sixtythird.chats import TOPICS


def mark(a: Attempt, rng: random.Random) -> float:
    """A mark by how many concrete pieces of advice the answer holds."""
    hits = sum(line in a.text for line in TOPICS[a.task.facts["topic"]])
    return round(min(0.98, max(0.02, 0.12 + 0.16 * hits + rng.gauss(0, 0.05))), 2)


def without_correct(rows: list[Row]) -> list[Row]:
    """Rows of judged chat: nobody measured whether they are right."""
    for row in rows:
        row["correct"] = None
    return rows
