"""A stop text that stands within gold answers: 12.25 is cut to 12 where generation stops at a full stop.

Rows tell the texts to stop at, or the one that ended them. Where a gold answer holds one of them between other signs,
no reply can give it. Such replies end with what stands before, at many problems, and are not paid.

Stop texts that no gold answer holds do no harm. Where replies hold the stop text, it is not in force. Replies that are
read up to the stop text, and are paid for the part before it, are meant to be. Who rounds to whole numbers is free to
write the rest, and does so at some attempts.
"""

import json
import re

import pandas as pd

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX
from evotrainer.diagnosis.texts.gold import gold_column, is_short
from evotrainer.evidence.frames import Frame

NEEDS = {"truncation": ("gold", "reward", "extra")}

_HELD, _PAID, _SHARE = 0.02, 0.05, 0.2
"""Shares: of replies that hold a stop text, of those that are paid, and of those that end with the part before it."""
_MIN_ROWS, _MIN_PROBLEMS = 12, 5


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where replies end at a stop text that their gold answer holds."""
    rows = context.unequally_paid
    if rows.empty or "stop_texts" not in rows or not (rows["stop_texts"] != "").any():
        return Diagnosis()
    gold = gold_column(rows, rows["problem_id"], EXTRA_PREFIX)
    if not gold:
        return Diagnosis()
    rows = rows[(rows["stop_texts"] != "") & rows[gold].map(is_short) & ~rows["is_truncated"].astype(bool)]
    keys = zip(rows[gold], rows["stop_texts"], strict=True)
    rows = rows.assign(
        _part=pd.Series([_before_stop(str(key), texts) for key, texts in keys], rows.index, dtype=object)
    )
    rows = rows[rows["_part"] != ""]
    if len(rows) < _MIN_ROWS or rows["goes_past_stop"].mean() > _HELD:
        return Diagnosis()
    return _judged(context, rows, gold)


def _judged(context: Context, rows: Frame, gold: str) -> Diagnosis:
    least = float(context.unequally_paid["reward"].min())
    ends = zip(rows["reply_end"], rows["_part"], strict=True)
    cut = rows[[re.search(rf"(?<![\w.,]){re.escape(part)}\Z", end, re.I) is not None for end, part in ends]]
    is_enough = len(cut) >= max(_MIN_ROWS, _SHARE * len(rows)) and cut["problem_id"].nunique() >= _MIN_PROBLEMS
    if not is_enough or (rows["reward"] > least).mean() > _PAID:
        return Diagnosis()
    first = cut.iloc[0]
    message = (
        f"{len(cut)} of {len(rows)} attempts whose gold answer holds a stop text end just before it, as with "
        f"{first['_part']!r} for {str(first[gold])!r}, and hardly any of them is paid: generation stops within right "
        "answers, stop at a text that none holds"
    )
    numbers = {"cut": len(cut), "share": len(cut) / len(rows)}
    return Diagnosis(findings=[context.finding("truncation", "warning", message, numbers, (), cut)])


def _before_stop(gold: str, texts: str) -> str:
    """Return what stands before the first stop text within a gold answer; empty where it holds none."""
    gold = gold.strip()
    places = [gold.find(text) for text in json.loads(texts) if text in gold]
    place = min(places, default=0)
    return gold[:place].strip() if 0 < place < len(gold) - 1 else ""
