"""Answers of tools that do not belong to the call: results of other episodes, or the question with its solution.

1. The first call of an episode meets its problem as it was set up. So the same first call at the same problem has the
   same answer in each attempt. Where it had in the first third of steps and has not in the last, tools answer with what
   belongs to other episodes. Worlds that answer by chance do so from the beginning.
2. A tool shows the very text of the problem and the answer right behind: the corpus or page holds what is asked. Where
   the call held that text too, a tool may repeat what it is asked and answer; one that repeats no other call does not.
3. One place of the first answer holds the right answer, at nearly all problems, though attempts go on to look for it.
4. Nearly all answers of tools held the words of their call in the first steps, and many do not later, at a cost.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, graded, thirds, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.pay import pay_of
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"infrastructure_zeros": ("num_tool_calls", "step"), "answer_reading": ("num_tool_calls",)}

_SAME, _OTHER = 0.95, 0.6
_MIN_PAIRED = 40
_GOES_ON = 3
"""Calls of the middle attempt from which the first answer was not what it looked for."""
_MIN_PROBLEMS, _MANY, _SOME = 3, 0.2, 0.02
_STRANGE, _OFTEN, _MIN_ANSWERED = 0.1, 0.15, 50
"""Share of answers without the words of their call in the first steps at most, its rise in the last ones; calls."""
_RARELY = 0.1
"""Share of tools' answers that repeat their call, below which a tool does not do so."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return findings on what tools answered."""
    rows = context.with_texts(graded(context.training))
    if rows.empty or not rows["num_tool_calls"].any():
        return Diagnosis()
    strange = _of_other_episodes(context, rows) or _of_other_calls(context, rows)
    return Diagnosis(findings=strange + (_told(context, rows) or _at_first(context, rows)))


def _of_other_episodes(context: Context, rows: Frame) -> list[Finding]:
    parts = thirds(rows[rows["first_call"] != ""])
    if parts is None:
        return []
    (early, _), (late, odd) = map(_agreeing, parts)
    if early is None or late is None or early < _SAME or late > _OTHER:
        return []
    message = (
        f"the same first call at the same problem had the same answer in {early:.0%} of attempts in the first steps "
        f"and has in {late:.0%} in the last: tools answer with what belongs to other episodes"
    )
    numbers = {"early": early, "late": late}
    return [context.finding("infrastructure_zeros", "critical", message, numbers, (), odd)]


def _of_other_calls(context: Context, rows: Frame) -> list[Finding]:
    parts = thirds(rows[rows["num_answered"] > 0])
    if parts is None or min(part["num_answered"].sum() for part in parts) < _MIN_ANSWERED:
        return []
    early, late = (float(part["num_strange"].sum() / part["num_answered"].sum()) for part in parts)
    marked = rows["num_strange"] > 0
    pay = pay_of(rows, marked)
    if early > _STRANGE or late - early < _OFTEN or pay is None or pay.z > -z_limit(context.thresholds.alpha):
        return []
    message = (
        f"{late:.0%} of tools' answers lack the words of their call in the last steps, {early:.0%} in the first, and "
        f"attempts that get them earn {-pay.difference:.1f} standard deviations less: tools answer what was not asked"
    )
    numbers = {"early": early, "late": late, "pay": pay.difference}
    return [context.finding("infrastructure_zeros", "critical", message, numbers, ("alpha",), rows[marked])]


def _agreeing(rows: Frame) -> tuple[float | None, Frame]:
    """Return the share of attempts whose first answer is the usual one to their call, and the others."""
    by_call = rows.groupby(["problem_id", "first_call"])["first_answer"]
    paired = rows[by_call.transform("size") >= 2]
    if len(paired) < _MIN_PAIRED:
        return None, paired
    usual = by_call.agg(lambda answers: answers.mode().iloc[0]).rename("_usual")
    is_usual = paired.join(usual, on=["problem_id", "first_call"])["_usual"] == paired["first_answer"]
    return float(is_usual.mean()), paired[~is_usual]


def _at_first(context: Context, rows: Frame) -> list[Finding]:
    found, total = rows[rows["shown_at_first"] != ""], rows["problem_id"].nunique()
    problems = found["problem_id"].nunique()
    if problems < _MIN_PROBLEMS or problems < _MANY * total or rows["num_tool_calls"].median() < _GOES_ON:
        return []
    message = (
        f"at {problems} of {total} problems the first answer of a tool holds the right answer, after "
        f"{found['shown_at_first'].mode().iloc[0]!r}, and attempts look on: see whether the environment gives it away"
    )
    numbers = {"problems": problems, "share": problems / total}
    return [context.finding("answer_reading", "warning", message, numbers, (), found)]


def _told(context: Context, rows: Frame) -> list[Finding]:
    known = rows["echo_share"].dropna()
    is_plain = len(known) >= context.thresholds.min_rows and known.mean() < _RARELY
    told = rows[rows["told_answer"].astype(bool) | (rows["told_to_question"].astype(bool) & is_plain)]
    problems, total = told["problem_id"].nunique(), rows["problem_id"].nunique()
    if problems < _MIN_PROBLEMS or problems < _SOME * total:
        return []
    message = (
        f"at {problems} of {total} problems a tool shows the text of the problem with its answer behind: take "
        "them out of what tools can reach"
    )
    numbers = {"problems": problems, "share": problems / total}
    severity = "critical" if problems >= _MANY * total else "warning"
    return [context.finding("answer_reading", severity, message, numbers, (), told)]
