"""Answers of the policy that stand once more in front of what the user says next.

Sequences of several turns are put together from pieces, and a piece that is cut at the wrong place holds the answer
before again: the policy reads it twice, and is trained on it twice. A mark of a chat template behind the answer proves
it, since users do not write such marks. Without marks some environments echo all that was said, as a terminal does; so
it counts where a part of the attempts alone has it.
"""

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl

NEEDS = {"metric_defect": ("num_chars",)}

_MIN_ATTEMPTS, _MIN_PROBLEMS = 8, 3
_HALF, _SOME, _MOST = 0.5, 0.05, 0.8
"""Share of an attempt's turns of users that begin so, and of attempts where no mark tells."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where users begin with the policy's answer."""
    rows = context.with_texts(context.graded)
    if rows.empty:
        return Diagnosis()
    marked, doubled = rows["doubled_mark"].astype(bool), rows["doubled_share"] >= _HALF
    share = float(doubled.sum() / max(int(rows["doubled_share"].notna().sum()), 1))
    found, how = rows[marked], ", and a mark of a chat template behind it"
    if len(found) < _MIN_ATTEMPTS and _SOME <= share <= _MOST:
        found, how = rows[doubled], f"; {1 - share:.0%} of attempts with such turns have none"
    if len(found) < _MIN_ATTEMPTS or found["problem_id"].nunique() < _MIN_PROBLEMS:
        return Diagnosis()
    message = (
        f"in {len(found)} of {len(rows)} attempts a user's turn begins with the whole answer of the policy before"
        f"{how}: the sequence holds it twice, see how turns are cut and put together"
    )
    numbers = {"attempts": len(found), "share": len(found) / len(rows)}
    return Diagnosis(findings=[context.finding("metric_defect", "warning", message, numbers, (), found)])
