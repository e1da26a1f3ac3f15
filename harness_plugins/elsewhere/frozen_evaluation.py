"""An evaluation that repeats itself: the weights that it samples from are not those that are trained.

Evaluations of a policy that learns differ, greedy ones too. Where each evaluation gives the answers of the one before
to the letter, three times and more to the end, its server loads no new weights, or a cache answers. So it is where rows
name the policy: the last evaluations, three and more, are of one policy, while those that training samples from change.
A column that is named for a policy serves where its values in training follow each other and none comes back. The
evaluated name must be one that training had before, or the score stands still while training learns: `latest` names
another policy each time. Opponents and judges may stay, and a base model may be evaluated beside the trained one.
"""

import itertools

from evotrainer.diagnosis.context import Context, Diagnosis, graded, trend
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import policy_columns
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding, Severity

NEEDS = {"staleness": ("validation", "step")}

_MIN_EVALUATIONS, _MIN_PROBLEMS, _MIN_CHARS = 3, 8, 20
_ALL = 0.98
_MOSTLY, _RENEWED = 0.9, 0.5
"""Shares of attempts: at an evaluation with its policy, and in training with the policy of their step."""


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
    trained = context.with_texts(graded(context.training))
    found = _one_policy(context, rows, trained, "policy_id", "critical")
    for name in () if found else policy_columns(trained):
        if not found and name in rows and _is_renewed(trained, name):
            found = _one_policy(context, rows, trained, name, "warning")
    return found


def _one_policy(context: Context, rows: Frame, trained: Frame, name: str, severity: Severity) -> list[Finding]:
    """Return a finding where the last evaluations have one value of this column, and training meanwhile others."""
    held, others = (part[part[name].notna() & (part[name] != "")] for part in (rows, trained))
    if held.empty or others.empty:
        return []
    by_step = held.groupby("step")[name].agg(lambda names: names.mode().iloc[0])
    last = by_step.iloc[-1]
    same = by_step.index[::-1][(by_step.iloc[::-1] == last).cumprod().astype(bool)]
    meanwhile = others.loc[others["step"] > same.min(), name]
    if len(same) < _MIN_EVALUATIONS or meanwhile.nunique() < _MIN_EVALUATIONS or (meanwhile == last).any():
        return []
    held = held[held["step"].isin(same)]
    if severity == "warning" and not (others[name] == last).any() and not _stands_still(context, held):
        return []
    if (held[name] == last).mean() < _MOSTLY:
        return []
    message = (
        f"the last {len(same)} evaluations are of one policy, {str(last)[:40]}, while training sampled from "
        f"{meanwhile.nunique()} others since step {same.min():g}: the evaluated weights are never renewed"
    )
    numbers = {"evaluations": len(same), "policies": int(meanwhile.nunique())}
    return [context.finding("staleness", severity, message, numbers, (), held)]


def _stands_still(context: Context, held: Frame) -> bool:
    """Tell whether evaluations stay as they are while training learns: `latest` may name another policy each time."""
    learned, shown = (trend(part, "reward", context.thresholds.min_groups) for part in (graded(context.training), held))
    rise = context.thresholds.outcome_rise
    return learned is not None and shown is not None and learned.z > rise >= shown.z


def _is_renewed(trained: Frame, name: str) -> bool:
    """Tell whether most attempts of a step have one value, which never comes back once others followed."""
    known = trained[trained[name].notna()]
    by_step = known.groupby("step")[name].agg(lambda names: names.mode().iloc[0])
    is_modal = known[name] == known["step"].map(by_step)
    return int((by_step != by_step.shift()).sum()) == by_step.nunique() and bool(is_modal.mean() >= _RENEWED)


def _pairs(rows: Frame) -> list[tuple[Frame, Frame]]:
    answers = [part.groupby("problem_id")["response_hash"].agg(_sorted) for _, part in rows.groupby("step")]
    return list(zip(answers, answers[1:], strict=False))


def _sorted(values: Frame) -> tuple[str, ...]:
    return tuple(sorted(map(str, values)))


def _same(before: Frame, after: Frame) -> float | None:
    """Return the share of problems of both evaluations with equal answers; None where they have too few in common."""
    common = before.index.intersection(after.index)
    return float((before[common] == after[common]).mean()) if len(common) >= _MIN_PROBLEMS else None
