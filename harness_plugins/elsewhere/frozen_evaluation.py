"""An evaluation that repeats itself: the weights that it samples from are not those that are trained.

Evaluations of a policy that learns differ, greedy ones too. Where each evaluation gives the answers of the one before
to the letter, three times and more to the end, its server loads no new weights, or a cache answers. So it is where rows
name the policy: the last evaluations, three and more, are of one policy, while those that training samples from change.
"""

import itertools

from evotrainer.diagnosis.context import Context, Diagnosis, graded, trend
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"staleness": ("validation", "step")}

_MIN_EVALUATIONS, _MIN_PROBLEMS, _MIN_CHARS = 3, 8, 20
_ALL = 0.98


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where all evaluations are one; critical where the policy learned meanwhile."""
    rows = context.with_texts(graded(context.validation))
    if rows.empty or rows["num_chars"].median() < _MIN_CHARS:
        return Diagnosis()
    named = _named_alike(context, rows)
    if named:
        return Diagnosis(findings=named)
    same = [_same(before, after) for before, after in _pairs(rows)]
    same = list(itertools.takewhile(lambda share: share is not None and share >= _ALL, reversed(same)))
    if len(same) < _MIN_EVALUATIONS - 1:
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


def _named_alike(context: Context, rows: Frame) -> list[Finding]:
    """Return a finding where the last evaluations name one policy, and training meanwhile several others."""
    trained = graded(context.training)
    held, others = (part[part["policy_id"].fillna("") != ""] for part in (rows, trained))
    if held.empty or others.empty:
        return []
    by_step = held.groupby("step")["policy_id"].agg(lambda names: names.mode().iloc[0])
    last = by_step.iloc[-1]
    same = by_step.index[::-1][(by_step.iloc[::-1] == last).cumprod().astype(bool)]
    meanwhile = others.loc[others["step"] > same.min(), "policy_id"]
    if len(same) < _MIN_EVALUATIONS or meanwhile.nunique() < _MIN_EVALUATIONS or (meanwhile == last).any():
        return []
    message = (
        f"the last {len(same)} evaluations are of one policy, {str(last)[:40]}, while training sampled from "
        f"{meanwhile.nunique()} others since step {same.min():g}: the evaluated weights are never renewed"
    )
    numbers = {"evaluations": len(same), "policies": int(meanwhile.nunique())}
    return [context.finding("staleness", "critical", message, numbers, (), held[held["step"].isin(same)])]


def _pairs(rows: Frame) -> list[tuple[Frame, Frame]]:
    answers = [part.groupby("problem_id")["response_hash"].agg(_sorted) for _, part in rows.groupby("step")]
    return list(zip(answers, answers[1:], strict=False))


def _sorted(values: Frame) -> tuple[str, ...]:
    return tuple(sorted(map(str, values)))


def _same(before: Frame, after: Frame) -> float | None:
    """Return the share of problems of both evaluations with equal answers; None where they have too few in common."""
    common = before.index.intersection(after.index)
    return float((before[common] == after[common]).mean()) if len(common) >= _MIN_PROBLEMS else None
