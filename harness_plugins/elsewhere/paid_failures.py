"""Runs that failed by their own status and are paid: a time limit, a crash or an error that counts as passed.

A column beside the attempts holds a status of one word, or a few. Where attempts whose status says that the run failed
have the greatest reward nearly always, the grader reads something else.
"""

import re

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX, outside_columns

NEEDS = {"weak_verifier": ("extra", "reward")}

_FAILED = re.compile(
    r"(?:time[ _-]?out|timed[ _-]?out|time[ _-]?limit(?:[ _-]?exceeded)?|tle|mle|failed|failure|error"
    r"|runtime[ _-]?error|exception|crash(?:ed)?|killed|oom|oom[ _-]?killed|segfault|aborted"
    r"|no[ _-]?output|compile[ _-]?error)",
    re.I,
)
_NEARLY_ALL, _MIN_ROWS, _MIN_PROBLEMS = 0.9, 12, 5
_MAX_VALUES = 12


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding for the first status of failure that is paid."""
    rows = context.unequally_paid
    rows = rows[(rows["in_loss"] != 0.0) & rows["error"].isna()]
    if rows.empty:
        return Diagnosis()
    for name in outside_columns(rows):
        values = rows[name].dropna()
        if not 2 <= values.nunique() <= _MAX_VALUES:
            continue
        for value in values.unique():
            if not isinstance(value, str) or not _FAILED.fullmatch(value.strip()):
                continue
            found = rows[rows[name] == value]
            paid = found[found["reward"] >= rows["reward"].max()]
            if len(paid) < max(_MIN_ROWS, _NEARLY_ALL * len(found)) or paid["problem_id"].nunique() < _MIN_PROBLEMS:
                continue
            message = (
                f"{len(paid)} of {len(found)} attempts with {name.removeprefix(EXTRA_PREFIX)} {value} have the "
                "greatest reward: a run that failed counts as passed, see how the grader reads its end"
            )
            numbers = {"paid": len(paid), "failed": len(found)}
            return Diagnosis(findings=[context.finding("weak_verifier", "critical", message, numbers, (), paid)])
    return Diagnosis()
