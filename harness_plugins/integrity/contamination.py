"""Contamination: problems that are trained on and evaluated on.

Evidence proves it where a problem id stands in training and in validation, test or holdout. Near-duplicates under other
ids need the problem files (evotrainer/diagnosis/contamination.py).
"""

import math
from collections.abc import Sequence

import pandas as pd

from evotrainer.diagnosis.context import Context, Diagnosis, correlation, graded, known
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

_MODE = "contamination"
_HELD = ("validation", "test", "holdout")


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return how closely the reward follows the outcome within groups; invalid where a held problem is trained on."""
    metrics = known({"reward_outcome_corr": _reward_outcome(graded(context.rows))})
    return Diagnosis(metrics, _shared(context, [context.rows, context.training, context.validation]))


def _shared(context: Context, frames: Sequence[Frame]) -> list[Finding]:
    held: Frame = pd.concat([rows[rows["split"].isin(_HELD)] for rows in frames], ignore_index=True)
    if held.empty:
        return []
    trained: Frame = pd.concat([rows[rows["split"] == "train"] for rows in frames], ignore_index=True)
    found = held[held["problem_id"].isin(trained["problem_id"].unique())]
    found = found.drop_duplicates("problem_id")
    if found.empty:
        return []
    limits, total = context.thresholds, held["problem_id"].nunique()
    severity = "invalid" if len(found) >= limits.contaminated_problems * total else "critical"
    named = ", ".join(sorted(found["problem_id"])[:3])
    splits = ", ".join(split for split in _HELD if split in set(held["split"]))
    message = (
        f"{len(found)} of {total} problems that are judged on ({splits}) are trained on too ({named}): remove them "
        "from training"
    )
    numbers = {"problems": len(found), "share": len(found) / total}
    return [context.finding(_MODE, severity, message, numbers, ("contaminated_problems",), found)]


def _reward_outcome(rows: Frame) -> float:
    """Return the correlation of reward and correctness within groups: 1 for correctness itself, 0 for noise."""
    rows = rows[rows["reward"].notna() & rows["correct"].notna()]
    if rows.empty:
        return math.nan
    means = rows.groupby("group")[["reward", "correct"]].transform("mean")
    return correlation(rows["reward"] - means["reward"], rows["correct"] - means["correct"])
