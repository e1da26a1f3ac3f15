"""Runs that failed by their own status and are paid: a time limit, a crash or an error that counts as passed.

A column beside the attempts holds a status of one word, or a few, or a line that begins with an error. Where attempts
whose status says that the run failed have the greatest reward nearly always, the grader reads something else. Where the
line names what the grader did not reach, or a default, the reward is none that anybody gave.
"""

import re

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX, outside_columns
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"weak_verifier": ("extra", "reward"), "judge_default": ("extra", "reward")}

_FAILED = re.compile(
    r"(?:time[ _-]?out|timed[ _-]?out|time[ _-]?limit(?:[ _-]?exceeded)?|tle|mle|failed|failure|error"
    r"|runtime[ _-]?error|exception|crash(?:ed)?|killed|oom|oom[ _-]?killed|segfault|aborted"
    r"|no[ _-]?output|compile[ _-]?error)",
    re.I,
)
_SAYS = re.compile(r"\W*(?:error|exception|failed to|could not|cannot|unable to)\b.*", re.I | re.S)
_UNGIVEN = re.compile(
    r"\b(?:default|fall(?:ing)?[ -]?back|unreachable|unavailable|refused|timed?[ -]?out|quota|rate[ -]?limit\w*"
    r"|429|50[023])\b",
    re.I,
)
"""What a grader did not reach, or what it gave in place of a grade."""
_NEARLY_ALL, _MIN_ROWS, _MIN_PROBLEMS = 0.9, 12, 5
_MAX_VALUES, _SHOWN = 12, 80
_PASSED = "a run that failed counts as passed, see how the grader reads its end"
_DEFAULT = "it is what the grader gives without a grade, mask these attempts and grade them again"


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
            if isinstance(value, str) and (found := _judge(context, rows, name, value)):
                return Diagnosis(findings=found)
    return Diagnosis()


def _judge(context: Context, rows: Frame, name: str, value: str) -> list[Finding]:
    """Return a finding where a value says that the run failed, and its attempts are paid."""
    is_line = _SAYS.match(value) is not None
    if not is_line and not _FAILED.fullmatch(value.strip()):
        return []
    found = rows[rows[name] == value]
    paid = found[found["reward"] >= rows["reward"].max()]
    if len(paid) < max(_MIN_ROWS, _NEARLY_ALL * len(found)) or paid["problem_id"].nunique() < _MIN_PROBLEMS:
        return []
    is_default = is_line and _UNGIVEN.search(value) is not None
    message = (
        f"{len(paid)} of {len(found)} attempts with {name.removeprefix(EXTRA_PREFIX)} {value[:_SHOWN]} have the "
        f"greatest reward: {_DEFAULT if is_default else _PASSED}"
    )
    mode = "judge_default" if is_default else "weak_verifier"
    return [context.finding(mode, "critical", message, {"paid": len(paid), "failed": len(found)}, (), paid)]
