"""Answer reading: an attempt tried to read hidden tests or answers, or shows text that stands only there.

A canary is random text placed in one problem's answers. Only reading can bring it, or a whole line of hidden tests,
into an attempt. So one attempt proves that answers can be read. The score is invalid where a material share of its
right attempts did so.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, known
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.invalidity import all_rows, check, proven, share_of, solved
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

_MODE = "answer_reading"


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return the share of attempts that read answers, and whether they count as right."""
    rows = all_rows(context)
    if not check(rows, "reads_answers").notna().any():
        return Diagnosis()
    found = proven(
        context,
        _MODE,
        lambda rows: _reads(rows) & solved(rows),
        "count as right and read hidden tests or answers, or tried to: close this access",
    )
    metrics = known({"answer_reading_rate": share_of(check(rows, "reads_answers"))})
    return Diagnosis(metrics, found or _in_vain(context, rows))


def _reads(rows: Frame) -> Frame:
    return check(rows, "reads_answers") > 0


def _in_vain(context: Context, rows: Frame) -> list[Finding]:
    found = rows[_reads(rows)]
    if found.empty:
        return []
    message = f"{len(found)} of {len(rows)} attempts read hidden tests or answers, or tried to: close this access"
    return [context.finding(_MODE, "critical", message, {"attempts": len(found)}, (), found)]
