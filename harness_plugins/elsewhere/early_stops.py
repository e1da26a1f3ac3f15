"""A stop text that ends attempts before their answer: the sampler met it within what the policy had to say.

Rows name the text that ended an attempt (`stop_matched`, `matched_stop`, a stop reason that is no plain word). Special
tokens are ends that the policy chose. A text that stands within answers shows by what it leaves: attempts without the
mark of an answer that others close, where such a mark is usual, and the least reward for nearly all of them while
others at their problem earn more.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, significantly_above, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.pay import pay_of
from evotrainer.diagnosis.texts.open_marks import lack_usual_mark
from evotrainer.evidence.frames import Frame

NEEDS = {"truncation": ("stop_reason", "reward")}

_FEW, _MOSTLY = 0.02, 0.9
_SOME = 0.2
"""Share of attempts ended by a text that close a mark before it, or close none, where both are usual."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where attempts that one stop text ended lack their answer."""
    limits, rows = context.thresholds, context.unequally_paid
    rows = rows[~rows["is_truncated"].astype(bool)]
    if rows.empty:
        return Diagnosis()
    stopped = rows["stop_text"]
    for text in stopped[stopped != ""].value_counts().index[:8]:
        is_ended = (stopped == text) & _lack_mark(rows, stopped == text)
        count = int(is_ended.sum())
        if not significantly_above(count, len(rows), _FEW, limits.limit_alpha) or not _lacks_answer(rows, is_ended):
            continue
        pay = pay_of(rows, is_ended)
        if pay is None or pay.z > -z_limit(limits.alpha):
            continue
        message = (
            f"{count} of {len(rows)} attempts were ended by the stop text {text!r}, are not marked as cut, lack their "
            f"answer and earn {pay.difference:+.1f} standard deviations against others at their problem: take it from "
            "the sampler's stop texts"
        )
        numbers = {"share": count / len(rows), "pay": pay.difference, "z": pay.z}
        names = ("alpha", "limit_alpha")
        return Diagnosis(findings=[context.finding("truncation", "warning", message, numbers, names, rows[is_ended])])
    return Diagnosis()


def _lack_mark(rows: Frame, is_ended: Frame) -> Frame:
    """Tell which attempts lack all marks, where some of those that a text ended have one; else tell it of all."""
    has_none = rows["closed_marks"] == ""
    has_some = float((~has_none)[is_ended].mean())
    return has_none if _SOME <= has_some < 1 - _SOME else has_none | True


def _lacks_answer(rows: Frame, is_ended: Frame) -> bool:
    """Tell whether ended attempts fail, without the mark that most others close, if there is one."""
    if (rows.loc[is_ended, "reward"] <= rows["reward"].min()).mean() < _MOSTLY:
        return False
    return lack_usual_mark(rows, is_ended)
