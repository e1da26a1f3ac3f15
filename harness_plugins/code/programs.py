"""Programs: how attempts fail, and how much the attempts at a problem differ.

Shares of all attempts: no_program_rate (none passes the format gate, though the response was not cut),
compile_error_rate, timeout_rate, crash_rate (no answer on some hidden test), wrong_answer_rate (an answer on each, some
wrong). program_diversity is the mean share of distinct programs in a group: 1 / group size when all are equal. Cut
responses are counted by `truncation`. No findings.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, known
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return shares of attempts by how they failed."""
    rows = context.graded
    if "check_wrong_share" not in rows:
        return Diagnosis()
    has_ended = rows["check_wrong_share"].notna()
    answered = rows["check_hidden_share"] + rows["check_wrong_share"]
    is_compiled, is_late = rows["check_compile_error"] == 0, rows["check_timeout_share"] > 0
    return Diagnosis(
        known(
            {
                "no_program_rate": (~has_ended & ~rows["is_truncated"]).mean(),
                "compile_error_rate": (rows["check_compile_error"] > 0).mean(),
                "timeout_rate": is_late.mean(),
                "crash_rate": (has_ended & is_compiled & ~is_late & (answered < 1)).mean(),
                "wrong_answer_rate": ((answered >= 1) & (rows["check_wrong_share"] > 0)).mean(),
                "program_diversity": _diversity(rows),
            }
        )
    )


def _diversity(rows: Frame) -> float:
    """Return the mean share of distinct programs in a group; attempts without one count as one program."""
    groups = rows.assign(program=rows["answer"].fillna("")).groupby("group")["program"]
    return float((groups.nunique() / groups.size()).mean())
