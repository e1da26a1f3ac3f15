"""Cached groups for backtests: attempts by outcome, their problems and the evidence of a campaign."""

from pathlib import Path

from evotrainer.backtests import ReplayInputs
from evotrainer.records import Problem, Trajectory
from tests.plain_records import plain_row


def group(name: str, outcomes: str, *, tokens: list[int] | None = None, **terms: list[float]) -> list[Trajectory]:
    """Return a group: '1' a correct attempt, '0' a wrong one; terms and lengths by attempt."""
    rows = []
    for attempt, sign in enumerate(outcomes):
        own = {"correct": float(sign), **{term: values[attempt] for term, values in terms.items()}}
        rows.append(
            plain_row(
                problem_id=name,
                attempt=attempt,
                seed=attempt,
                reward=own["correct"],
                reward_terms=own,
                correct=own["correct"],
                num_tokens=tokens[attempt] if tokens else 10,
                extra={"family": name[0]},
            )
        )
    return rows


def problems_of(rows: list[Trajectory]) -> list[Problem]:
    names = sorted({row.problem_id for row in rows})
    return [
        Problem(problem_id=name, domain="math", family=name[0], split="train", prompt=name, answer="1")
        for name in names
    ]


def evidence(rows: list[Trajectory], base: float | None = 0.3, score: float | None = 0.4) -> ReplayInputs:
    return ReplayInputs(rows, [], Path("none"), problems_of(rows), base, score)
