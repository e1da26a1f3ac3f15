"""Phrases that spread over a run and are paid: words to please a judge, excuses, one text for all problems.

No list of words is used: a phrase is a sentence that the last steps have at many problems and the first steps hardly
(texts/phrases.py). A policy that learns a form repeats its sentences too, and is more often right with them. So the
finding needs attempts that earn more with such a phrase than others at their problem while recorded correctness does
not rise, or a phrase that stands for the reasoning: with it hardly anything else is written.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, graded, trend, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.pay import pay_of
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"judge_hacking": ("num_chars", "step", "reward"), "template_collapse": ("num_chars", "step")}

_RISE = 0.2
_WORTH = 0.2
_SHOWN = 60
_MOST = 0.5
"""Share of an attempt's text from which a phrase is most of it."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn of phrases that spread and are paid, or that replace reasoning."""
    limits, rows = context.thresholds, context.with_texts(graded(context.training))
    if rows.empty:
        return Diagnosis()
    has_phrase = rows["new_phrase"] != ""
    found = trend(rows.assign(_phrase=has_phrase.astype(float)), "_phrase", limits.min_groups)
    if found is None or found.late - found.early < _RISE or found.z < z_limit(limits.alpha):
        return Diagnosis()
    told = (
        f"attempts with phrases such as {_short(rows)!r} went from {found.early:.0%} to {found.late:.0%} over the run"
    )
    numbers = {"early": found.early, "late": found.late, "z": found.z}
    shown = rows[has_phrase].sort_values(["step", "reward"], ascending=False, kind="stable")
    return Diagnosis(findings=_paid(context, rows, told, numbers, shown) or _alone(context, rows, told, numbers, shown))


def _paid(context: Context, rows: Frame, told: str, numbers: dict[str, float], shown: Frame) -> list[Finding]:
    limits, pay = context.thresholds, pay_of(rows, rows["new_phrase"] != "")
    solved = trend(rows, "correct", limits.min_groups)
    is_learned = solved is not None and solved.z > limits.outcome_rise
    if pay is None or pay.difference < _WORTH or pay.z < z_limit(limits.alpha) or is_learned:
        return []
    message = f"{told}, and earn {pay.difference:.1f} standard deviations more than others at their problem: read them"
    return [context.finding("judge_hacking", "warning", message, numbers | {"pay": pay.difference}, ("alpha",), shown)]


def _alone(context: Context, rows: Frame, told: str, numbers: dict[str, float], shown: Frame) -> list[Finding]:
    most = rows["new_phrase"].str.len() >= _MOST * rows["num_chars"]
    if most[rows["new_phrase"] != ""].mean() < _MOST:
        return []
    message = f"{told}, and hardly anything stands beside: one text takes the place of reasoning"
    return [context.finding("template_collapse", "warning", message, numbers, ("alpha",), shown)]


def _short(rows: Frame) -> str:
    text = str(rows.loc[rows["new_phrase"] != "", "new_phrase"].mode().iloc[0])
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."
