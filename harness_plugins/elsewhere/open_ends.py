"""Attempts whose last message ends within a mark that others close, though nothing says that they were cut.

A thought that is never closed, a call or a fence of code without its end: the text would have gone on. A stop text that
stands within a thought, a limit that the rows do not tell, or a parser that takes half a message ends it. It is a
warning where more attempts than the limit end so and earn less than others at their problem. Marks that attempts
seldom close are part of the text. A share that falls over the run is a form that the policy learns.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, significantly_above, thirds, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.pay import pay_of
from evotrainer.evidence.frames import Frame

NEEDS = {"length_limit": ("num_chars", "reward")}

_CLOSED = 0.5
_FEW = 0.02
_STAYS = 0.5
"""Share of the first third's open ends that the last third still has."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where attempts end within an open mark and fail by it."""
    rows = context.unequally_paid
    rows = rows[~rows["is_truncated"].astype(bool)]
    if rows.empty or "open_mark" not in rows:
        return Diagnosis()
    opened = rows["open_mark"]
    for mark in opened[opened != ""].value_counts().index[:8]:
        is_open = opened == mark
        closes = rows["closed_marks"].str.split(" ").map(lambda marks, mark=mark: mark in marks)
        if closes[~is_open].mean() >= _CLOSED and _is_many(context, is_open) and _stays(rows, is_open):
            return _judge(context, rows, is_open, str(mark))
    return Diagnosis()


def _is_many(context: Context, is_open: Frame) -> bool:
    return significantly_above(int(is_open.sum()), len(is_open), _FEW, context.thresholds.limit_alpha)


def _stays(rows: Frame, is_open: Frame) -> bool:
    parts = thirds(rows.assign(_is_open=is_open))
    return parts is None or bool(parts[1]["_is_open"].mean() >= _STAYS * parts[0]["_is_open"].mean())


def _judge(context: Context, rows: Frame, is_open: Frame, mark: str) -> Diagnosis:
    limits, pay = context.thresholds, pay_of(rows, is_open)
    if pay is None or pay.z > -z_limit(limits.alpha):
        return Diagnosis()
    count = int(is_open.sum())
    message = (
        f"{count} of {len(rows)} attempts end within an open {mark!r} that others close, are not marked as cut, and "
        f"earn {pay.difference:+.1f} standard deviations against others at their problem: look for a stop text or a "
        "limit that ends them too early"
    )
    numbers = {"share": count / len(rows), "pay": pay.difference, "z": pay.z}
    names = ("alpha", "limit_alpha")
    return Diagnosis(findings=[context.finding("length_limit", "warning", message, numbers, names, rows[is_open])])
