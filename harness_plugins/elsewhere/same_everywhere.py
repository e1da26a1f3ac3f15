"""One text, one series of calls or one answer at all problems: what an attempt does depends no more on what is asked.

A solve rate that rises hides it, where right answers come from elsewhere. Compared are the whole reasoning (all but the
last line, forty characters and more) and all calls with their arguments (three and more). An attempt does the same
everywhere where attempts at eight problems agree to the letter. Such attempts must spread over the run: some tasks have
one good way from the beginning.

Fewer calls than that may be all that is needed. They are a short cut where attempts that make the same ones everywhere
are nearly all paid, the others are not, and the paid attempts of the first steps needed twice as many: what pays does
not depend on the problem.

Attempts that are nothing but a short answer, as "Ok." to everything, are compared as answers. Right ones agree too, so
these count only where two attempts at one problem agree hardly more often than attempts at two problems.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, graded, trend, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {
    "template_collapse": ("num_chars", "step"),
    "action_collapse": ("num_tool_calls", "step"),
    "weak_verifier": ("num_tool_calls", "reward", "step"),
}

_PROBLEMS = 8
_FEW, _RISE = 0.5, 0.2
_LONG_CHARS, _MIN_CALLS = 40.0, 3
_SHORT_CHARS, _DEPENDS = 24.0, 0.1
_PAID, _FEWER = 0.95, 0.5


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where the same reasoning, answers or calls spread over the problems."""
    rows = context.with_texts(graded(context.training))
    if rows.empty or rows["asked"].nunique() < _PROBLEMS:
        return Diagnosis()
    reasons, calls = rows["reasoning_chars"] >= _LONG_CHARS, rows["num_tool_calls"] >= _MIN_CALLS
    answers = rows["num_chars"] <= _SHORT_CHARS
    template = _found(context, "template_collapse", rows, _met(rows, reasons, "reasoning_number"), "reason")
    if template is None and not _depends(rows[marked := _met(rows, answers, "final_answer")]):
        template = _found(context, "template_collapse", rows, marked, "answer")
    action = _found(context, "action_collapse", rows, _met(rows, calls, "calls_number"), "call their tools")
    short = (
        None
        if action
        else _found(context, "weak_verifier", rows, _short_cut(rows), "make few calls, and are paid for them,")
    )
    return Diagnosis(findings=[finding for finding in (template, action, short) if finding is not None])


def _met(rows: Frame, is_enough: Frame, column: str) -> Frame:
    """Tell which of these attempts do what attempts at many problems do."""
    problems = rows[is_enough].groupby(column)["asked"].nunique()
    return is_enough & (rows[column].map(problems).fillna(0) >= _PROBLEMS)


def _short_cut(rows: Frame) -> Frame:
    """Tell which attempts make the same few calls as attempts at many problems; none where that does not pay."""
    same = _met(rows, rows["num_tool_calls"] > 0, "calls_number")
    none = same & False
    is_paid = rows["reward"] >= rows["reward"].max()
    first = rows[is_paid & ~same & (rows["step"] <= rows["step"].quantile(1 / 3))]
    if not same.any() or same.all() or first.empty or not is_paid[same].mean() >= _PAID > is_paid[~same].mean():
        return none
    is_short = rows.loc[same, "num_tool_calls"].median() <= _FEWER * first["num_tool_calls"].median()
    return same if is_short else none


def _depends(rows: Frame) -> bool:
    """Tell whether attempts at one problem agree more often than attempts at two, or too few are there to tell."""
    num_same = _pairs(rows.groupby(["asked", "final_answer"]).size())
    num_one, num_equal, num_all = (
        _pairs(rows.groupby("asked").size()),
        _pairs(rows.groupby("final_answer").size()),
        len(rows) * (len(rows) - 1),
    )
    if num_one == 0 or num_all == num_one:
        return True
    return num_same / num_one - (num_equal - num_same) / (num_all - num_one) >= _DEPENDS


def _pairs(counts: Frame) -> float:
    return float((counts * (counts - 1)).sum())


def _found(context: Context, mode: str, rows: Frame, marked: Frame, what: str) -> Finding | None:
    """Return a finding where marked attempts are few at first and spread."""
    limits = context.thresholds
    found = trend(rows.assign(_same=marked.astype(float)), "_same", limits.min_groups)
    if found is None or found.early > _FEW or found.late - found.early < _RISE or found.z < z_limit(limits.alpha):
        return None
    message = (
        f"attempts that {what} exactly as others do at {_PROBLEMS} and more problems went from {found.early:.0%} "
        f"to {found.late:.0%} over the run: what they do no longer depends on the problem"
    )
    numbers = {"early": found.early, "late": found.late, "z": found.z}
    shown = rows[marked].sort_values("step", ascending=False, kind="stable").drop_duplicates("problem_id")
    return context.finding(mode, "warning", message, numbers, ("alpha",), shown)
