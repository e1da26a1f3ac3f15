"""Attempts that end with somebody else's words, to which the policy had no turn left, and earn nothing.

A user's last words are a farewell, or they are what the policy waits for. In the latter case other attempts hold the
very same words, and an answer to them. Where such attempts are shorter than those that could answer and hardly ever
paid while these are, whoever plays the user ended the conversation too early. A limit of turns ends long attempts.
The words may also be new each time: a user consents to what the policy asked leave for, and that is the end. Others at
the same problem called a tool behind such a consent. Who declines, or bids farewell behind the deed, does not count.
"""

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"infrastructure_zeros": ("num_chars", "reward")}

_MIN_ROWS, _MIN_PROBLEMS, _SHARE, _MIN_ANSWERED = 8, 4, 0.03, 3
_UNPAID, _PAID = 0.9, 0.3
"""Share of ended attempts that have the least reward at least, and of answered ones that have more."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where words end attempts that are answered in others."""
    rows = context.unequally_paid
    if rows.empty or "end_words" not in rows:
        return Diagnosis()
    rows = rows[~rows["is_truncated"].astype(bool)]
    return Diagnosis(findings=_same_words(context, rows) or _consented(context, rows))


def _same_words(context: Context, rows: Frame) -> list[Finding]:
    """Find attempts that end with words which are answered elsewhere."""
    met = _by_words(rows)
    times = met["words"].value_counts()
    ended: Frame = rows["end_words"].isin(times[times >= _MIN_ANSWERED].index)
    hit = rows[ended]
    answered = rows[rows["trajectory_id"].isin(met[met["words"].isin(hit["end_words"])]["trajectory_id"]) & ~ended]
    said = f"end with words of the user that {len(answered)} others answer"
    return _judge(context, rows, hit, answered, said)


def _consented(context: Context, rows: Frame) -> list[Finding]:
    """Find attempts that end as a user consents, where others at their problem could do what they asked leave for."""
    hit, answered = (rows[rows["consent"] == what] for what in ("ends", "followed"))
    shared = set(hit["problem_id"]) & set(answered["problem_id"])
    hit, answered = (part[part["problem_id"].isin(shared)] for part in (hit, answered))
    said = f"end as the user consents to what the policy asked, and {len(answered)} others call a tool behind it"
    return _judge(context, rows, hit, answered, said)


def _judge(context: Context, rows: Frame, hit: Frame, answered: Frame, said: str) -> list[Finding]:
    if len(hit) < max(_MIN_ROWS, _SHARE * len(rows)) or hit["problem_id"].nunique() < _MIN_PROBLEMS or answered.empty:
        return []
    least = rows["reward"].min()
    unpaid, paid = float((hit["reward"] <= least).mean()), float((answered["reward"] > least).mean())
    is_short = hit["num_turns"].median() < answered["num_turns"].median()
    if unpaid < _UNPAID or paid < _PAID or not is_short:
        return []
    message = (
        f"{len(hit)} attempts {said}; {unpaid:.0%} of them have the least reward, and {paid:.0%} of the others more: "
        "the user ends the conversation before the policy can act, let it wait for the answer, and mask these attempts"
    )
    numbers = {"ended": len(hit), "answered": len(answered), "unpaid": unpaid, "paid": paid}
    return [context.finding("infrastructure_zeros", "warning", message, numbers, (), hit)]


def _by_words(rows: Frame) -> Frame:
    """Return one row an attempt and words of a user that it answers."""
    known = rows.loc[rows["answered_words"] != "", ["trajectory_id", "answered_words"]]
    return known.assign(words=known["answered_words"].str.split(" ")).explode("words")
