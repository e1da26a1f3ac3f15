"""An evaluation that repeats itself: the weights that it samples from are not those that are trained.

Evaluations of a policy that learns differ, greedy ones too. Where each evaluation gives the answers of the one before
to the letter, three times and more, its server never loads new weights, or a cache answers.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, graded, trend
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame

NEEDS = {"staleness": ("validation", "step")}

_MIN_EVALUATIONS, _MIN_PROBLEMS, _MIN_CHARS = 3, 8, 20
_ALL = 0.98


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where all evaluations are one; critical where the policy learned meanwhile."""
    rows = context.with_texts(graded(context.validation))
    if rows.empty or rows["num_chars"].median() < _MIN_CHARS:
        return Diagnosis()
    same = [_same(before, after) for before, after in _pairs(rows)]
    if len(same) < _MIN_EVALUATIONS - 1 or any(share is None or share < _ALL for share in same):
        return Diagnosis()
    learned = trend(graded(context.training), "reward", context.thresholds.min_groups)
    has_learned = learned is not None and learned.z > context.thresholds.outcome_rise
    meanwhile = f", while the reward in training rose from {learned.early:.2f} to {learned.late:.2f}" if learned else ""
    message = (
        f"{len(same) + 1} evaluations at different steps give the same answers to the letter"
        f"{meanwhile if has_learned else ''}: the evaluated weights are never renewed"
    )
    numbers = {"evaluations": len(same) + 1, "same": min(share for share in same if share is not None)}
    severity = "critical" if has_learned else "warning"
    return Diagnosis(findings=[context.finding("staleness", severity, message, numbers, (), rows)])


def _pairs(rows: Frame) -> list[tuple[Frame, Frame]]:
    answers = [part.groupby("problem_id")["response_hash"].agg(_sorted) for _, part in rows.groupby("step")]
    return list(zip(answers, answers[1:], strict=False))


def _sorted(values: Frame) -> tuple[str, ...]:
    return tuple(sorted(map(str, values)))


def _same(before: Frame, after: Frame) -> float | None:
    """Return the share of problems of both evaluations with equal answers; None where they have too few in common."""
    common = before.index.intersection(after.index)
    return float((before[common] == after[common]).mean()) if len(common) >= _MIN_PROBLEMS else None
