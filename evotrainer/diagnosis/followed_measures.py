"""Columns of 0 and 1 that say who is right: correctness, gold answers, or a measure that the reward follows."""

from evotrainer.diagnosis.context import correlation
from evotrainer.diagnosis.texts import EXTRA_PREFIX
from evotrainer.evidence.frame_columns import TERM_PREFIX
from evotrainer.evidence.frames import Frame

OUTCOMES = ("correct", "is_gold")
_FOLLOWS, _KNOWN = 0.7, 0.8


def followed_measures(rows: Frame, is_sound: Frame) -> list[str]:
    """Return the columns of 0 and 1, known of most rows, that the reward follows among sound rows."""
    columns = [name for name in map(str, rows.columns) if name.startswith((EXTRA_PREFIX, TERM_PREFIX))]
    found = []
    for column in (*OUTCOMES, *columns):
        known = rows[column].dropna()
        if len(known) < _KNOWN * len(rows) or not known.isin((0.0, 1.0)).all():
            continue
        if correlation(rows.loc[is_sound, column].astype(float), rows.loc[is_sound, "reward"]) >= _FOLLOWS:
            found.append(column)
    return found
