"""Mistakes of the policy that are stored as errors and left out of the loss: a call or an answer that cannot be read.

An infrastructure error says nothing of the policy and is masked. One whose name says that a call, an action or an
answer was malformed is the policy's own, or a parser's. Masked, it costs nothing, and may spread.
"""

import re

from evotrainer.diagnosis.context import Context, Diagnosis, significantly_above
from evotrainer.diagnosis.hookspecs import hookimpl

NEEDS = {"tool_failures": ()}

_FAULT = (
    r"(?:invalid|malformed|bad|unknown|unparse?able|wrong|illegal|missing|parse?|parsing|decod|format|schema|syntax)"
)
_WHOSE = r"(?:tool|call|function|action|argument|json|answer|output|response|command|format)"
_OWN = re.compile(rf"{_FAULT}.{{0,16}}{_WHOSE}|{_WHOSE}.{{0,16}}{_FAULT}", re.I)
_MIN_ROWS, _MIN_PROBLEMS, _SOME = 12, 5, 0.05


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where malformed calls or answers are masked as errors."""
    rows = context.training
    if context.texts is None or rows.empty:
        return Diagnosis()
    is_own = rows["error"].fillna("").map(lambda name: _OWN.search(str(name)) is not None)
    masked = rows[is_own & rows["reward"].isna() & ~(rows["in_loss"] > 0)]
    if len(masked) < _MIN_ROWS or masked["problem_id"].nunique() < _MIN_PROBLEMS:
        return Diagnosis()
    if not significantly_above(len(masked), len(rows), _SOME, context.thresholds.limit_alpha):
        return Diagnosis()
    name = str(masked["error"].mode().iloc[0])
    message = (
        f"{len(masked)} of {len(rows)} attempts ended with errors such as {name[:40]!r} and are left out of the loss: "
        "a malformed call or answer is the policy's own, count it as a failure, or mend the parser"
    )
    numbers = {"masked": len(masked), "share": len(masked) / len(rows)}
    return Diagnosis(findings=[context.finding("tool_failures", "warning", message, numbers, (), masked)])
