"""Steps that are not what they are numbered: rows served twice, batches in another order than they were sampled in.

Long answers that are drawn anew are hardly ever equal. So a step that holds the very answers of one earlier step, at
the same problems, was served again. All earlier steps together hold most answers where there are few ways to answer.
Some answers leave no choice (fields of a form): attempts of one step at one problem are then equal too, and a step
counts where it repeats an earlier one far more than itself, or as a whole. Times of day tell the order of sampling;
without them the file does, where it holds each step in one piece.
"""

import numpy as np

from evotrainer.diagnosis.context import Context, Diagnosis, graded
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.domains.problem_sets.overlap import HELD
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"staleness": ("step", "num_chars"), "metric_defect": ("step",)}

_MIN_STEPS = 4
_LONG_CHARS = 60
_REPEATED = 0.5
_BEYOND = 0.4
_WHOLE = 0.95
_MOST_EARLIER = 64
"""Earlier steps with one answer that are compared, from the first on."""
_MIN_INVERSIONS = 2
_OUT_OF_ORDER = 0.1
"""Share of pairs of steps in the wrong order that overlapping batches do not reach."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return findings on repeated rows and on the order of steps."""
    rows = context.with_texts(graded(context.training))
    if rows.empty or rows["step"].nunique() < 2:
        return Diagnosis()
    return Diagnosis(findings=_served_again(context, rows) + _out_of_order(context, rows))


def _served_again(context: Context, rows: Frame) -> list[Finding]:
    # An evaluation meets its problems again at each step, and without sampling it gives the same answers.
    drawn = rows[~rows["split"].isin(HELD) & (rows["decoding"] != "greedy")]
    long = drawn[drawn["num_chars"] >= _LONG_CHARS]
    by_answer = long.groupby(["problem_id", "response_hash"])["step"]
    is_again = long["step"] > by_answer.transform("min")
    share, alike = _held_by_one(long, is_again), _alike_within(long)
    is_whole = (share >= _WHOLE) & (alike.isna() | (alike < _REPEATED))
    again = share[is_whole | (share >= np.maximum(_REPEATED, alike + _BEYOND))].index
    if len(long) < context.thresholds.min_rows or again.empty or _is_every_batch_reused(list(share.index), set(again)):
        return []
    found = long[is_again & long["step"].isin(again)]
    steps = ", ".join(str(step) for step in again[:5])
    message = (
        f"{len(again)} of {rows['step'].nunique()} steps (such as {steps}) hold the very answers of an earlier step: "
        "these batches were served twice"
    )
    numbers = {"steps": len(again), "attempts": len(found)}
    return [context.finding("staleness", "critical", message, numbers, ("min_rows",), found)]


def _is_every_batch_reused(steps: list[int], again: set[int]) -> bool:
    """Tell whether each batch is served the same number of times in a row: several updates a batch were asked for."""
    since = [place for place, step in enumerate(steps) if step not in again]
    lengths = [end - start for start, end in zip(since, [*since[1:], len(steps)], strict=True)]
    return len(lengths) > 1 and min(lengths) > 1 and max(lengths) == min(lengths)


def _held_by_one(rows: Frame, is_again: Frame) -> Frame:
    """Return by step the largest share of its attempts whose answers stand in one and the same earlier step."""
    keys = ["problem_id", "response_hash"]
    met = rows.loc[is_again, ["step", *keys]].assign(row=rows.index[is_again])
    before = rows[["step", *keys]].drop_duplicates().sort_values("step").rename(columns={"step": "earlier"})
    pairs = met.merge(before[before.groupby(keys).cumcount() < _MOST_EARLIER], on=keys)
    pairs = pairs[pairs["earlier"] < pairs["step"]]
    most = pairs.groupby(["step", "earlier"])["row"].nunique().groupby(level="step").max()
    size = rows.groupby("step").size()
    return most.reindex(size.index, fill_value=0) / size


def _alike_within(rows: Frame) -> Frame:
    """Return by step the share of attempts that equal another one of the step at their problem; none without pairs."""
    size = rows.groupby(["step", "problem_id"])["response_hash"].transform("size")
    equal = rows.groupby(["step", "problem_id", "response_hash"])["response_hash"].transform("size")
    return (equal > 1).astype(float).where(size > 1).groupby(rows["step"]).mean()


def _out_of_order(context: Context, rows: Frame) -> list[Finding]:
    if rows["step"].nunique() < _MIN_STEPS:
        return []
    if np.isfinite(rows["started"]).mean() > _REPEATED:
        order, by = rows.groupby("step")["started"].median().dropna(), "the times at which attempts started"
    elif _is_in_pieces(rows):
        order, by = rows.groupby("step")["place"].median(), "their order in the file"
    else:
        return []
    later = np.subtract.outer(order.to_numpy(), order.to_numpy())
    wrong = int((np.tril(later, -1) < 0).sum())
    pairs = len(order) * (len(order) - 1) // 2
    if wrong < _MIN_INVERSIONS or wrong <= _OUT_OF_ORDER * pairs:
        return []
    message = f"{wrong} of {pairs} pairs of steps stand in another order than {by}: `step` is not the order of training"
    numbers = {"inversions": wrong, "pairs": pairs}
    return [context.finding("metric_defect", "warning", message, numbers, (), rows.drop_duplicates("step"))]


def _is_in_pieces(rows: Frame) -> bool:
    """Tell whether the rows of each step stand together, more than a few steps each way in no order of names."""
    steps = rows.sort_values("place")["step"].to_numpy()
    pieces = steps[np.concatenate([[True], steps[1:] != steps[:-1]])]
    is_by_name = list(pieces) == sorted(pieces, key=str) or list(pieces) == sorted(pieces, reverse=True)
    return len(pieces) == len(np.unique(steps)) and not is_by_name
