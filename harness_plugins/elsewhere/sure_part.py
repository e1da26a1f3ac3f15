"""A sure part of the reward: one call or answer always earns the same part, and attempts come to take it and no more.

Handing over, abstaining or asking back is often paid a part, so that it is preferred to a wrong answer. Where the part
is more than a try earns on average, the policy learns to take it at every problem. One call, one answer, or a reply
that declines earns one reward between the least and the greatest, and hardly another attempt earns just that. It
spreads, and attempts that earn more cease, while those that still try succeed as often as before. Where problems become
harder, tries succeed less often. Where attempts hand over what they cannot solve, as many as before earn more.
"""

from collections.abc import Iterator

from evotrainer.diagnosis.context import Context, Diagnosis, graded, trend, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame

NEEDS = {"timidity": ("step", "reward")}

_SURE, _ELSEWHERE = 0.8, 0.05
"""Share of attempts with the act that earn the part, and of others that do."""
_RISE, _HALF, _SHOWN = 0.3, 0.5, 40
"""Rise of the act, late attempts that earn more as a share of early ones, and signs of an answer that are told."""
_EARLY, _AS_OFTEN, _MIN_TRIES = 0.33, 0.7, 12
"""Share of attempts that are early, success of later tries as a share of theirs, and tries from which it is known."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where attempts come to take a sure part of the reward."""
    limits, rows = context.thresholds, context.with_texts(graded(context.training))
    rows = rows[rows["reward"].notna()] if not rows.empty else rows
    if len(rows) < limits.min_rows or rows["reward"].nunique() < 3:
        return Diagnosis()
    found = next(_sure(rows), None)
    if found is None:
        return Diagnosis()
    act, part, takes = found
    rows = rows.assign(_takes=takes.astype(float), _more=(rows["reward"] > part).astype(float))
    spread, more = (trend(rows, name, limits.min_groups) for name in ("_takes", "_more"))
    limit = z_limit(limits.alpha)
    if spread is None or more is None or spread.late - spread.early < _RISE or spread.z < limit:
        return Diagnosis()
    if more.late > _HALF * more.early or more.z > -limit or not _try_as_well(rows, takes):
        return Diagnosis()
    message = (
        f"attempts with {act} went from {spread.early:.0%} to {spread.late:.0%} over the run and earn "
        f"{part:.3g} whatever was asked; those that earn more went from {more.early:.0%} to {more.late:.0%}, though "
        "who tries succeeds as often: pay it less than a try earns"
    )
    numbers = {"early": spread.early, "late": spread.late, "part": part, "more_early": more.early}
    shown = rows[takes].sort_values("step", ascending=False, kind="stable")
    return Diagnosis(findings=[context.finding("timidity", "warning", message, numbers, ("alpha",), shown)])


def _sure(rows: Frame) -> Iterator[tuple[str, float, Frame]]:
    """Yield what many late attempts do and what earns one part: its name, the part, and who does it."""
    late = rows["step"] >= rows["step"].median()
    between = (rows["reward"] > rows["reward"].min()) & (rows["reward"] < rows["reward"].max())
    paid = rows.loc[late & between, "reward"].value_counts()
    if paid.empty or paid.iloc[0] < _RISE * late.sum():
        return
    part = float(paid.index[0])
    is_part = rows["reward"] == part
    for name, takes in _acts(rows, late):
        if takes.any() and is_part[takes].mean() >= _SURE and is_part[~takes].mean() <= _ELSEWHERE:
            yield name, part, takes


def _acts(rows: Frame, late: Frame) -> Iterator[tuple[str, Frame]]:
    """Yield the calls that many late attempts make, their commonest answer, and whether a reply declines."""
    tools, answers = rows["tools"].fillna("").str.split("\n"), rows["final_answer"].fillna("").astype(str)
    for name, count in tools[late].map(set).explode().value_counts().items():
        if name and count >= _RISE * late.sum():
            yield f"the call {name}", tools.map(lambda calls, name=name: name in calls)
    for answer in answers[late & (answers != "")].mode().head(1):
        yield f"the answer {answer[:_SHOWN]}", answers == answer
    yield "a reply that declines", rows["declined"] > 0


def _try_as_well(rows: Frame, takes: Frame) -> bool:
    """Tell whether attempts that still try late in the run earn more than the part as often as early ones."""
    is_early = rows["step"] <= rows["step"].quantile(_EARLY)
    early, late = rows.loc[~takes & is_early, "_more"], rows.loc[~takes & ~is_early, "_more"]
    return min(len(early), len(late)) >= _MIN_TRIES and late.mean() >= _AS_OFTEN * early.mean()
